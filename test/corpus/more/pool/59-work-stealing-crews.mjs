// @style two crews (pools) with a deque each; when a crew has nothing left, its members steal from the other crew's tail
// @expect thumbs: pool tasks=12 conc=2 ok=12 error=0 peak=2 lanes=2
// @expect videos: pool tasks=4 conc=2 ok=4 error=0 peak=2 lanes=2
// @hard two concurrent runs of one loop, and tasks move from one to the other
import gt from '../gt.cjs';

class Crew {
  static #all = new Set();

  constructor(name, members) {
    this.name = name;
    this.members = members;
    this.deque = [];
    this.stolen = 0;
    Crew.#all.add(this);
  }

  give(...jobs) {
    this.deque.push(...jobs);
    return this;
  }

  /** own work from the front, other people's from the back */
  #take() {
    if (this.deque.length) return this.deque.shift();
    const victims = [...Crew.#all].filter((c) => c !== this && c.deque.length);
    victims.sort((a, b) => b.deque.length - a.deque.length);
    if (!victims.length) return undefined;
    this.stolen++;
    return victims[0].deque.pop();
  }

  async #member(no) { // @worker thumbs videos
    let job;
    while ((job = this.#take())) {
      await encode(job, this, no);
    }
  }

  start() {
    this.truth = gt.group({ name: this.name, kind: 'pool', concurrency: this.members });
    const crew = [];
    for (let no = 0; no < this.members; no++) crew.push(this.#member(no));
    return Promise.all(crew).then(() => { // @group thumbs videos
      this.truth.end();
      return this.stolen;
    });
  }
}

function encode(job, crew, no) { // @task thumbs videos
  const t = crew.truth.start(job.file, { worker: no });
  return new Promise((resolve) => {
    setTimeout(() => resolve(t.ok(job.file)), job.cost);
  });
}

const thumbs = new Crew('thumbs', 2);
const videos = new Crew('videos', 2);

for (let i = 0; i < 10; i++) thumbs.give({ file: `img-${i}.jpg`, cost: 15 + (i % 3) * 5 });
for (let i = 0; i < 6; i++) videos.give({ file: `clip-${i}.mp4`, cost: 170 + i * 6 });

const a = thumbs.start();
const b = videos.start();
const loot = (await a) + (await b);
if (loot !== 2) process.exitCode = 1;

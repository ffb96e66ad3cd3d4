// @style kue-like queue, ES5 constructor + util.inherits(EventEmitter): create(data).priority('high').save(), process(n, handler(job, done)), pause(fn)/resume(), job.progress events
// @hard callbacks and events only, no promise
// @expect videos: pool tasks=12 conc=3 ok=10 error=2 peak=3
'use strict';
var EventEmitter = require('events').EventEmitter;
var util = require('util');
var gt = require('../gt.cjs');

var g = gt.group({ name: 'videos', kind: 'pool', concurrency: 3, declared: 12 });
var LEVELS = { high: 0, normal: 1, low: 2 };

function Job(queue, data) {
  EventEmitter.call(this);
  this.queue = queue;
  this.data = data;
  this.level = LEVELS.normal;
}
util.inherits(Job, EventEmitter);
Job.prototype.priority = function (name) { this.level = LEVELS[name]; return this; };
Job.prototype.progress = function (done, total) { this.emit('progress', Math.round(100 * done / total)); };
Job.prototype.save = function () { this.queue._enqueue(this); return this; };

function JobQueue() {
  EventEmitter.call(this);
  this.levels = [[], [], []];
  this.active = 0;
  this.slots = 0;
  this.handler = null;
  this.paused = false;
}
util.inherits(JobQueue, EventEmitter);

JobQueue.prototype.create = function (data) { return new Job(this, data); };
JobQueue.prototype._enqueue = function (job) {
  this.levels[job.level].push(job);
  this.emit('enqueue', job);
  if (this.handler) this._next();
};
JobQueue.prototype._take = function () {
  for (var l = 0; l < this.levels.length; l++) if (this.levels[l].length) return this.levels[l].shift();
  return null;
};
JobQueue.prototype.process = function (slots, handler) {
  this.slots = slots;
  this.handler = handler;
  this._next();
};
JobQueue.prototype.pause = function (whenQuiet) {
  this.paused = true;
  if (!this.active) return whenQuiet();
  this.once('quiet', whenQuiet);
};
JobQueue.prototype.resume = function () { this.paused = false; this._next(); };
JobQueue.prototype._next = function () {
  var job, self = this;
  while (!this.paused && this.active < this.slots && (job = this._take())) {
    this.active++;
    this.emit('start', job);
    this.handler(job, this._finisher(job)); // @group videos
  }
  if (this.active) return;
  process.nextTick(function () { self.emit(self.paused ? 'quiet' : 'drain'); });
};
JobQueue.prototype._finisher = function (job) {
  var self = this;
  return function done(err, result) {
    self.active--;
    job.emit(err ? 'failed' : 'complete', err || result);
    self._next();
  };
};

function encode(job, done) { // @task videos
  var t = g.start(job.data.id);
  var parts = 3, seen = 0;
  var timer = setInterval(function () {
    job.progress(++seen, parts);
    if (seen < parts) return;
    clearInterval(timer);
    if (job.data.id % 5 === 2 && job.data.id < 10) return done(t.fail(new Error('codec')));
    t.ok();
    done(null, job.data.id + '.mp4');
  }, Math.round(gt.ms(job.data.id) / parts));
}

var jobs = new JobQueue();
gt.range(12).forEach(function (id) {
  var job = jobs.create({ id: id }).priority(['low', 'normal', 'high'][id % 3]);
  job.on('failed', function () { failures++; }).save();
});
var failures = 0;
var started = 0;
jobs.on('start', function () {
  if (++started === 7) jobs.pause(function () { setTimeout(function () { jobs.resume(); }, 60); });
});
jobs.once('drain', function () { g.end(); });
jobs.process(3, encode); // @group videos

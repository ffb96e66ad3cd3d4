// @style albums in chunks of 2, inside of each album a pool of 2 rails for its photos
// @expect albums: chunk tasks=4 conc=2 chunks=2 ok=4 error=0 peak=2
// @expect photos-*: pool groups=4 tasks=5 conc=2 ok=5 error=0 peak=2 lanes=2 parent=albums/*
import gt from '../gt.cjs';
const albums = gt.group({ name: 'albums', kind: 'chunk', combinator: 'all', concurrency: 2, size: 2, declared: 4 });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function savePhoto(photos, album, n, w) { // @task photos-*
  const t = photos.start(n, { worker: w });
  await sleep(gt.ms(album * 5 + n, 15, 45));
  t.ok();
}
async function saveAlbum(album) { // @task albums
  const t = albums.start(album);
  await sleep(10);
  const photos = gt.group({ name: `photos-${album}`, kind: 'pool', concurrency: 2, declared: 5, parent: t });
  const names = gt.range(5);
  const saver = async (w) => { // @worker photos-*
    let n;
    while ((n = names.pop()) !== undefined) await savePhoto(photos, album, n, w);
  };
  await Promise.all([saver(0), saver(1)]); // @group photos-*
  photos.end();
  t.ok();
}
const ids = gt.range(4);
while (ids.length) {
  const pair = ids.splice(0, 2);
  await Promise.all(pair.map(saveAlbum)); // @group albums
}
albums.end();

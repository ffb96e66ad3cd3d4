// @style rxjs: mergeMap(promise function, 2) outside; the task itself is lastValueFrom(from(list).pipe(mergeMap(promise function, 3), toArray()))
// @lib rxjs
// @expect albums: pool tasks=5 conc=2 ok=5 error=0 peak=2
// @expect songs-*: pool groups=5 tasks=5 conc=3 ok=5 error=0 peak=3 parent=albums/*
import { from, lastValueFrom, mergeMap, toArray, map } from 'rxjs';
import gt from '../gt.cjs';

const albums = gt.group({ name: 'albums', kind: 'pool', lib: 'rxjs', concurrency: 2, declared: 5 });

const song$ = (songs, album) => (no) => { // @task songs-*
  const t = songs.start(no);
  return new Promise((ok) => setTimeout(ok, gt.ms(album * 5 + no, 15, 45), { no })).then((song) => t.ok(song));
};

const loadAlbum = (album) => { // @task albums
  const t = albums.start(album);
  const songs = gt.group({ name: `songs-${album}`, kind: 'pool', lib: 'rxjs', concurrency: 3, declared: 5, parent: t });
  return lastValueFrom(
    from(gt.range(5)).pipe(
      mergeMap(song$(songs, album), 3), // @group songs-*
      map((song) => song.no),
      toArray(),
    ),
  ).then((list) => {
    songs.end();
    return t.ok(list);
  });
};

from(gt.range(5))
  .pipe(mergeMap((album) => loadAlbum(album), 2)) // @group albums
  .subscribe({ complete: () => albums.end(), error: () => albums.end('error') }); // @group albums

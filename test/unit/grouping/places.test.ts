import { describe, expect, test } from 'vitest';
import { isInLibrary, Places, runSame } from '../../../src/grouping/promises/places';

const placeIn = (file: string): ReturnType<Places['stack']> => {
  const places = new Places({ mapSite: (site) => site, isHelper: () => false });
  places.addString(1, file);
  places.addFrame(1, false, 1, 0, 3, 4, 1, 1);
  places.addStack(1, 0, 1, false);
  return places.stack(1);
};

describe('whose code a file is', () => {
  test.each([
    ['/home/me/project/node_modules/p-limit/index.js', 'p-limit'],
    ['/home/me/project/node_modules/@supercharge/promise-pool/dist/index.js', '@supercharge/promise-pool'],
    ['C:\\project\\node_modules\\@scope\\name\\index.js', '@scope/name'],
    ['/project/node_modules/.pnpm/p-map@7.0.0/node_modules/p-map/index.js', 'p-map'],
    ['/project/node_modules/outer/node_modules/', 'outer'],
  ])('%s is a library\'s', (file, library) => {
    expect(isInLibrary(file)).toBe(true);
    expect(placeIn(file)?.place).toMatchObject({ kind: 'library', library });
  });

  test.each(['/home/me/node_modules.js', '/home/me/my_node_modules/a.js', 'node_modules', '/home/me/node_modules', '', `/home/${'node_modules'.repeat(3000)}.js`])('%.40s is the program\'s', (file) => {
    expect(isInLibrary(file)).toBe(false);
    expect(placeIn(file)?.place).toMatchObject({ kind: 'user', library: undefined });
  });
});

describe('whether the same code runs', () => {
  const places = new Places({ mapSite: (site) => site, isHelper: () => false });
  places.addString(1, '/home/me/queue.js');
  places.addString(2, 'node:internal/process/task_queues');
  // flush, finish, another one that calls it, and Node's event loop.
  for (const [id, file] of [[1, 1], [2, 1], [3, 1], [4, 2]] as const) places.addFrame(id, false, file, 0, id * 10, 4, id * 10, 1);
  places.addStack(1, 0, 4, false);
  places.addStack(2, 0, 2, false);
  places.addStack(3, 2, 1, false);
  places.addStack(4, 1, 2, false);
  places.addStack(5, 4, 1, false);
  places.addStack(6, 0, 3, false);
  places.addStack(7, 6, 1, false);
  places.addStack(8, 0, 1, false);
  const at = (id: number): ReturnType<Places['stack']> => places.stack(id);

  test('be it that the event loop is seen beneath it or not', () => {
    expect(runSame(at(3), at(5))).toBe(true);
    expect(runSame(at(5), at(3))).toBe(true);
    expect(runSame(at(3), at(3))).toBe(true);
  });

  test('but not if others called it, or nobody', () => {
    expect(runSame(at(3), at(7))).toBe(false);
    expect(runSame(at(3), at(8))).toBe(false);
    expect(runSame(at(3), undefined)).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { isInLibrary, Places } from '../../../src/grouping/promises/places';

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

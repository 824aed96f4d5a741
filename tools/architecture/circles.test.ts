import { describe, expect, it } from '@jest/globals';
import left from './circles-left.json' with { type: 'json' };
import { filesInCircles, importsOfTheProject, twoWayFolders } from './circles.ts';

const imports = importsOfTheProject();

/** `circles-left.json` only shrinks: what is new in the project is a fault of the change, what is gone leaves the list. */
describe('the way between rooms goes one way', () => {
  it('no two folders beside each other import each other, but those that are left', () => {
    expect(twoWayFolders(imports)).toEqual(left.folders);
  });

  it('no files import each other in a circle, not for a type either, but those that are left', () => {
    expect(filesInCircles(imports)).toEqual(left.files);
  });
});

describe('the search for circles', () => {
  it('knows folders by where their paths part, and no pair of a folder with one inside it', () => {
    const rooms = new Map([
      ['src/a/deep/one.ts', ['src/b/two.ts', 'src/a/below.ts', 'src/tools.ts']],
      ['src/a/below.ts', ['src/a/deep/one.ts']],
      ['src/b/two.ts', []],
      ['src/b/inner/three.ts', ['src/a/other.ts']],
      ['src/a/other.ts', []],
      ['src/c/four.ts', ['src/b/two.ts']],
      ['src/tools.ts', ['src/c/four.ts']],
    ]);
    expect(twoWayFolders(rooms)).toEqual(['src/a ↔ src/b']);
  });

  it('knows who is in a circle and who only leads to it', () => {
    const rooms = new Map([
      ['door.ts', ['one.ts']],
      ['one.ts', ['two.ts', 'end.ts']],
      ['two.ts', ['three.ts']],
      ['three.ts', ['one.ts']],
      ['end.ts', []],
    ]);
    expect(filesInCircles(rooms)).toEqual(['one.ts', 'three.ts', 'two.ts']);
  });
});

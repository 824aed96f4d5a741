import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyToOpenPlace } from './binaries.ts';

describe('the copy of the programs that another user will run', () => {
  let place: string;
  let native: string;
  const uid = process.getuid?.() ?? 0;
  const said = (folder: string): string => readFileSync(join(folder, 'bin', 'postgres'), 'utf8');
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'copies-'));
    native = join(place, 'native');
    mkdirSync(join(native, 'bin'), { recursive: true });
    writeFileSync(join(native, 'bin', 'postgres'), 'ours');
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('is made once, open to others', () => {
    const copy = copyToOpenPlace(native, place, uid);
    expect(copyToOpenPlace(native, place, uid)).toBe(copy);
    expect([said(copy), statSync(copy).mode & 0o777]).toEqual(['ours', 0o755]);
    expect(readdirSync(place)).toHaveLength(2);
  });

  it('is never one that is somebody else’s, or that others may write to', () => {
    const copy = copyToOpenPlace(native, place, uid);
    writeFileSync(join(copy, 'bin', 'postgres'), 'theirs');
    cpSync(copy, copy.replace(`-${uid}-`, `-${uid + 1}-`), { recursive: true });
    expect(said(copyToOpenPlace(native, place, uid + 1))).toBe('ours');
    chmodSync(copy, 0o777);
    expect(said(copyToOpenPlace(native, place, uid))).toBe('ours');
  });
});

import { describe, expect, it } from '@jest/globals';
import { frame, FrameReader } from './frames.ts';

const header = Buffer.from([87, 65, 6, 3]);

describe('the reader of frames', () => {
  it('finds the same frames however the bytes are split', () => {
    const bytes = Buffer.concat([header, frame(Buffer.from('one')), frame(Buffer.alloc(3000, 1))]);
    for (const size of [1, 3, 1000, bytes.length]) {
      const reader = new FrameReader();
      const frames: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)));
      expect(reader.header).toEqual(header);
      expect(frames.map((one) => one.length)).toEqual([3, 3000]);
    }
  });

  it('skips the route of a client that was told one', () => {
    const reader = new FrameReader();
    const route = Buffer.from([0x45, 0x44, 0, 1, 0, 0, 2, 9, 9]);
    expect(reader.push(Buffer.concat([route, header, frame(Buffer.from('one'))]))).toEqual([Buffer.from('one')]);
    expect(reader.header).toEqual(header);
  });
});

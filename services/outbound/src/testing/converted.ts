import { execFileSync } from 'node:child_process';

/** Sound in another format, by the ffmpeg of this machine. @param into for example `['-c:a', 'aac', '-f', 'adts']` */
export const converted = (sound: Buffer, into: readonly string[]): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', ...into, 'pipe:1'], { input: sound });

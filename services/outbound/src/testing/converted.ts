import { execFileSync } from 'node:child_process';
import { voiceNoteSettings } from '../voice-notes/settings.ts';

/** The ffmpeg of this machine. */
export const ffmpeg = voiceNoteSettings.ffmpeg.read(undefined, process.env);

/** Sound in another format. @param into for example `['-c:a', 'aac', '-f', 'adts']` */
export const converted = (sound: Buffer, into: readonly string[]): Buffer =>
  execFileSync(ffmpeg ?? '', ['-v', 'error', '-i', 'pipe:0', ...into, 'pipe:1'], { input: sound });

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { SettingsTable } from '@messaging-gateway/runtime';

/** The program that makes voice notes of other audio: looked for once, when the process starts. */
export const voiceNoteSettings = {
  ffmpeg: {
    variable: 'FFMPEG_PATH',
    byDefault: '`ffmpeg` in `PATH`, if it is there',
    means:
      'The program ffmpeg, which makes voice notes of WAV, MP3, M4A (AAC) and WebM, and playable audio of WebM, Matroska and 3GPP. `off`, or where there is none: voice notes must be sent as Ogg with Opus.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
      if (text === 'off') return undefined;
      if (text === undefined) return inPath('ffmpeg', environment);
      const found = text.includes('/') || isAbsolute(text) ? resolve(text) : inPath(text, environment);
      if (found === undefined || !isProgram(found)) throw new Error('names no program that can be run');
      return found;
    },
  },
} as const satisfies SettingsTable;

const inPath = (name: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined =>
  PATH.split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

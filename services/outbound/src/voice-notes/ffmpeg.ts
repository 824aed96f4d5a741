import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { Loudness, heardRate } from './loudness.ts';

/** Sound that was decoded: how long it is and how loud. */
export interface Heard {
  readonly seconds: number;
  /** 64 bytes, 0 to 100. */
  readonly waveform: Buffer;
}

/** Why there is no voice note; the rest of a sentence. */
export class Unconvertible extends Error {
  override readonly name = 'Unconvertible';
}

interface Work {
  readonly program: string;
  /** The file that is read. */
  readonly from: string;
  /** The file that is written: Ogg with Opus. Absent: it is listened to only. */
  readonly to?: string;
  /** Longest sound that is not refused, seconds. */
  readonly longest: number;
  /** Size at which the written file is cut, bytes. */
  readonly largest: number;
  /** Ends it in the middle. */
  readonly signal: AbortSignal;
}

/** Containers that are read. Lists of other files (HLS, concat) are none of them: they would name files of this machine. */
const containers = 'wav,w64,aiff,mp3,aac,flac,amr,ogg,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2';
/** The program takes at most so much memory at once, bytes. */
const mostMemory = 134_217_728;
/** Most that is kept of what a program says of its fault, characters. */
const mostSaid = 4_096;

const quietly = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-threads', '1', '-max_alloc', String(mostMemory)];
const plain = ['-vn', '-sn', '-dn', '-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '-1'];
/** As phones record: one channel, 48 kHz. */
const asPhones = ['-ac', '1', '-ar', '48000', '-c:a', 'libopus', '-b:a', '32k', '-application', 'voip'];
const bare = ['-fflags', '+bitexact', '-flags:a', '+bitexact'];

const listen = ['-ac', '1', '-ar', String(heardRate), '-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'];

function argumentsOf({ from, to, longest, largest }: Omit<Work, 'program' | 'signal'>): string[] {
  const upTo = ['-t', String(longest + 1)];
  const reading = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', containers, '-i', `file:${from}`];
  const writing = ['-protocol_whitelist', 'file,pipe', '-fs', String(largest), '-f', 'ogg', '-y'];
  return [
    ...quietly,
    ...reading,
    ...(to === undefined ? [] : [...plain, ...asPhones, ...bare, ...upTo, ...writing, `file:${to}`]),
    ...plain,
    ...upTo,
    ...listen,
  ];
}

/**
 * Reads sound, and writes it as a phone records a voice note. The program is a child without a shell, with the least
 * priority; when this process dies, it ends for want of somebody who listens.
 *
 * @throws Unconvertible when the file has no sound that can be read, or too much; the signal's reason
 */
export async function listenWith(work: Work): Promise<Heard> {
  const { program, longest, signal } = work;
  signal.throwIfAborted();
  const child = spawn(program, argumentsOf(work), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of the settings, which hold secrets.
    env: { LC_ALL: 'C', AV_LOG_FORCE_NOCOLOR: '1' },
  });
  const end = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  const loudness = new Loudness();
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    loudness.hear(part);
    if (loudness.seconds > longest) end();
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said = (said + part).slice(0, mostSaid)));
  try {
    const code = await ending(child, () => child.pid !== undefined && lower(child.pid));
    signal.throwIfAborted();
    if (loudness.seconds > longest) throw new Unconvertible(`is longer than ${longest / 60} minutes`);
    if (code !== 0) throw new Unconvertible(faultOf(said));
    if (loudness.seconds === 0) throw new Unconvertible('holds no sound');
    return { seconds: loudness.seconds, waveform: loudness.waveform() };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** @returns the exit code; null: it was killed. @throws Unconvertible when it cannot be started */
async function ending(child: ReturnType<typeof spawn>, begun: () => void): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('spawn', begun).once('close', resolve);
  child.once('error', ({ message }) =>
    reject(new Unconvertible(`cannot be converted: ffmpeg did not start (${message})`)),
  );
  return promise;
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}

/** The program's own words may hold what somebody wrote into the file: they are not told. */
function faultOf(said: string): string {
  if (/unknown encoder|encoder not found/i.test(said)) return 'cannot be converted: this ffmpeg has no libopus';
  if (/matches no streams|does not contain any stream/i.test(said)) return 'holds no sound';
  return 'is not audio that ffmpeg can read';
}

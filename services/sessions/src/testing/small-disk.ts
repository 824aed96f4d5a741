import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  /** Leaves no room at all. */
  fill(): void;
  empty(): void;
  remove(): void;
}

/** A file system of sixteen megabytes at a path; undefined where the machine mounts none, and the test is skipped. */
export function smallDisk(path: string): SmallDisk | undefined {
  try {
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    console.warn('Skipped: no small file system can be mounted here.');
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    fill: () => {
      const { bfree, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bfree * bsize));
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['-l', path]),
  };
}

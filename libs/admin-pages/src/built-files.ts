import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lookup } from 'mrmime';

/** One file of the built app, as it goes out. */
export interface BuiltFile {
  readonly type: string;
  readonly tag: string;
  readonly content: Buffer;
  /** The content packed, by `Content-Encoding`. */
  readonly packed: ReadonlyMap<string, Buffer>;
}

const packedAs = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Files of a folder by their path on the server, read once. Those that begin with a dot are left out. */
export function builtFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/?/, '/'));
  return new Map(
    names
      .filter((name) => !/\/\./.test(name) && !packedAs.some(([, ending]) => name.endsWith(ending)))
      .map((name) => [name, fileOf(join(folder, name), name)]),
  );
}

function fileOf(path: string, name: string): BuiltFile {
  const content = readFileSync(path);
  const packed = packedAs.filter(([, ending]) => existsSync(path + ending));
  const type = lookup(name) ?? 'application/octet-stream';
  return {
    type: /^text\/|javascript|json/.test(type) ? `${type}; charset=utf-8` : type,
    // Weak: packed and as it is, it has the same one.
    tag: `W/"${createHash('sha256').update(content).digest('base64url')}"`,
    content,
    packed: new Map(packed.map(([encoding, ending]) => [encoding, readFileSync(path + ending)])),
  };
}

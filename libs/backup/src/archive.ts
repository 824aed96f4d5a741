import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { SchemaDefinition } from './database-schema.ts';

/** First entry of a backup: how to make the schemas. */
export interface Outline {
  readonly format: 1;
  readonly at: string;
  readonly postgres: string;
  readonly extensions: readonly string[];
  readonly schemas: readonly SchemaDefinition[];
}

/** Last entry of a backup, there only when it is complete. */
export interface Manifest {
  readonly rows: Readonly<Record<string, number>>;
  /** SHA-256 of each entry before this one, by its name, hex. */
  readonly checksums: Readonly<Record<string, string>>;
}

const outlineName = 'outline.json';
const manifestName = 'manifest.json';
const zip = promisify(gzip);
const unzip = promisify(gunzip);
const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a backup: one tar file, whose entries are portions of tables, each compressed. */
export interface ArchiveWriter {
  outline(outline: Outline): Promise<void>;
  /** Adds a portion of a table in the text format of COPY. */
  portion(table: string, rows: Buffer): Promise<void>;
  /** The file appears under its name, durable, when this returns. */
  finish(rows: Readonly<Record<string, number>>): Promise<void>;
  /** Removes what was begun. */
  discard(): Promise<void>;
}

export function archiveWriter(file: string): ArchiveWriter {
  const draft = `${file}.partial`;
  const checksums: Record<string, string> = {};
  const tar = pack();
  const out = createWriteStream(draft, { mode: 0o600 });
  tar.pipe(out);
  const written = finished(out);
  written.catch(() => undefined);
  let count = 0;
  const add = async (name: string, bytes: Buffer): Promise<void> => {
    checksums[name] = checksum(bytes);
    const taken = new Promise<void>((resolve, reject) => {
      tar.entry({ name }, bytes, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([written, taken]);
    if (out.errored) throw out.errored;
    if (out.writableNeedDrain)
      await Promise.race([written, new Promise<void>((resolve) => out.once('drain', () => resolve()))]);
  };
  return {
    outline: (outline) => add(outlineName, Buffer.from(JSON.stringify(outline, undefined, 1))),
    portion: async (table, rows) => {
      count += 1;
      await add(`${table}/${String(count).padStart(8, '0')}.copy.gz`, await zip(rows, { level: 3 }));
    },
    finish: async (rows) => {
      await add(manifestName, Buffer.from(JSON.stringify({ rows, checksums } satisfies Manifest, undefined, 1)));
      tar.finalize();
      await written;
      const handle = await open(draft, 'r+');
      await handle.sync();
      await handle.close();
      await rename(draft, file);
    },
    discard: async () => {
      tar.destroy();
      out.destroy();
      await rm(draft, { force: true });
    },
  };
}

/**
 * Reads a backup through and compares every checksum.
 *
 * @throws Error when it is cut off, damaged or no backup
 */
export async function verifyArchive(file: string): Promise<{ outline: Outline; manifest: Manifest }> {
  const checksums: Record<string, string> = {};
  let outline: Outline | undefined;
  let manifest: Manifest | undefined;
  try {
    for await (const { name, bytes } of entries(file)) {
      if (name === manifestName) manifest = JSON.parse(bytes.toString()) as Manifest;
      else checksums[name] = checksum(bytes);
      if (name === outlineName) outline = JSON.parse(bytes.toString()) as Outline;
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw new Error(`There is no file ${file}.`, { cause: error });
    throw new Error(`${file} is no backup, or it is damaged: ${(error as Error).message}.`, { cause: error });
  }
  if (outline === undefined || manifest === undefined) throw new Error(`${file} is not a complete backup.`);
  if (outline.format !== 1)
    throw new Error(`${file} was made by a newer version: its format is ${String(outline.format)}.`);
  const expected = manifest.checksums;
  const damaged = [...new Set([...Object.keys(expected), ...Object.keys(checksums)])].filter(
    (name) => expected[name] !== checksums[name],
  );
  if (damaged.length > 0) throw new Error(`${file} is damaged: ${damaged.slice(0, 5).join(', ')}.`);
  return { outline, manifest };
}

/** The portions of tables, in the order in which they were written. @param isWanted default: of all tables */
export async function* portions(
  file: string,
  isWanted: (table: string) => boolean = () => true,
): AsyncGenerator<{ table: string; rows: Buffer }> {
  for await (const { name, bytes } of entries(file)) {
    const table = name.slice(0, name.lastIndexOf('/'));
    if (name !== outlineName && name !== manifestName && isWanted(table)) yield { table, rows: await unzip(bytes) };
  }
}

async function* entries(file: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const tar = extract();
  const source = createReadStream(file);
  source.on('error', (error) => tar.destroy(error));
  source.pipe(tar);
  for await (const entry of tar) yield { name: entry.header.name, bytes: await buffer(entry) };
}

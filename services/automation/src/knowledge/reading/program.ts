import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { chunksOf } from '../chunks.ts';
import type { DocumentKind } from './document-kind.ts';
import { Unreadable, type ReadFormat } from './formats/read-text.ts';

/**
 * A program that reads one document: its bytes come in, its chunks go out as lines of JSON. What a file holds is data of strangers: this process has no
 * settings, may write nothing and start nothing, and another thread ends it when it takes too much time or memory.
 *
 * `node program.ts <kind> <milliseconds of a processor> <bytes of memory>`
 */

/** A line of what it says. */
export type Said =
  | { readonly chunks: readonly string[] }
  | { readonly fault: string }
  | { readonly whole: true; readonly title: string | undefined };

/** Each loaded when it is needed: it lives for one file. */
const formats: Readonly<Record<DocumentKind, () => Promise<ReadFormat>>> = {
  text: async () => (await import('./formats/plain.ts')).readPlain,
  markdown: async () => (await import('./formats/plain.ts')).readPlain,
  html: async () => (await import('./formats/html.ts')).readHtml,
  csv: async () => (await import('./formats/csv.ts')).readCsv,
  docx: async () => (await import('./formats/docx.ts')).readDocx,
  pdf: async () => (await import('./formats/pdf.ts')).readPdf,
};

/** Chunks of one line. */
const together = 100;

async function say(line: Said): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

async function main([kind, time, memory]: readonly string[]): Promise<void> {
  const watch = new Worker(new URL('program-watch.ts', import.meta.url), {
    workerData: { time: Number(time), memory: Number(memory), parent: process.ppid },
  });
  await once(watch, 'online');
  watch.unref();
  try {
    const read = await formats[kind as DocumentKind]();
    const { text, title } = await read(await buffer(process.stdin));
    let chunks: string[] = [];
    for (const chunk of chunksOf(text)) {
      if (chunks.push(chunk) < together) continue;
      await say({ chunks });
      chunks = [];
    }
    await say({ chunks });
    await say({ whole: true, title });
  } catch (error) {
    // What is no Unreadable is told as well: the file made the program fail.
    await say({ fault: error instanceof Unreadable ? error.message : 'cannot be read' });
  }
}

await main(process.argv.slice(2));

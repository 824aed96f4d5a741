import { Parser } from 'htmlparser2';
import { textOf } from './plain.ts';
import { Collected, type ReadFormat } from './read-text.ts';

/** Elements that nobody reads. */
const leftOut = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'canvas',
  'iframe',
  'object',
  'audio',
  'video',
]);
/** Begin and end a paragraph. */
const paragraphs = new Set(
  'address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section summary table ul'.split(
    ' ',
  ),
);
/** Begin a line. */
const lines = new Set(['br', 'li', 'tr', 'option', 'caption']);
const cells = new Set(['td', 'th']);

/** So far behind the beginning a page says how it is encoded, bytes. */
const announced = 1_024;

/** Text as a reader sees it: paragraphs, lines, cells, without what is only for programs. */
export const readHtml: ReadFormat = (bytes) => {
  const head = Buffer.from(bytes.subarray(0, announced)).toString('latin1');
  const said = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  const all = new Collected();
  let title = '';
  let hidden = 0;
  let inTitle = false;
  let inPre = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (name === 'title' && title === '') inTitle = hidden === 0 || hidden === 1;
      if (leftOut.has(name)) hidden += 1;
      if (hidden > 0) return;
      if (name === 'pre') inPre += 1;
      if (paragraphs.has(name)) all.add('\n\n');
      else if (lines.has(name)) all.add('\n');
      else if (cells.has(name)) all.add('\t');
    },
    ontext: (text) => {
      if (inTitle) title += text;
      else if (hidden === 0) all.add(inPre > 0 ? text : text.replaceAll(/\s+/g, ' '));
    },
    onclosetag: (name) => {
      if (name === 'title') inTitle = false;
      if (leftOut.has(name)) hidden = Math.max(0, hidden - 1);
      if (hidden > 0) return;
      if (name === 'pre') inPre = Math.max(0, inPre - 1);
      if (paragraphs.has(name)) all.add('\n\n');
    },
  });
  parser.end(textOf(bytes, said));
  const text = all
    .toString()
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n');
  return { text, title: title.replaceAll(/\s+/g, ' ').trim() };
};

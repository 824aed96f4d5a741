import type { ShownDocument } from '../documents.ts';

/** Kinds of documents. */
export type DocumentKind = ShownDocument['type'];

/** Facts about a file before it is read. */
export interface GivenFile {
  /** Read from the bytes; what the sender says counts for texts, whose bytes do not tell. */
  readonly mimetype: string;
  readonly filename?: string | undefined;
}

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const byType: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  [docx]: 'docx',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/csv': 'csv',
};
const byExtension: Readonly<Record<string, DocumentKind>> = {
  pdf: 'pdf',
  docx: 'docx',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  txt: 'text',
  text: 'text',
};

/**
 * How a file is to be read: as what its bytes say, else as its type, else as its name does. Bytes of a PDF are read as one whatever the file is called;
 * whether others are what they are called is known once they are read.
 *
 * @returns undefined: nobody can
 */
export function documentKindOf({ mimetype, filename = '' }: GivenFile): DocumentKind | undefined {
  const type = (mimetype.split(';')[0] ?? '').trim().toLowerCase();
  const said = byType[type];
  const named = byExtension[/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''];
  return said ?? named ?? (type === 'text/plain' ? 'text' : undefined);
}

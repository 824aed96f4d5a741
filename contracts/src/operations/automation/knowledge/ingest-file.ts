import { operation } from '../../../contract.ts';
import { MediaUrl, StoredFile } from '../../../media.ts';
import { closed } from '../../../shapes.ts';
import { ingest, limitsOfKnowledge } from './ingest.ts';
import { ingestFields } from './shapes.ts';

/** The most that a file may hold, bytes. */
export const knowledgeFileLimit = 20 * 1_048_576;

const fileErrors = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUOTA_REACHED',
] as const;

export const IngestKnowledgeFile = operation({
  ...ingest,
  name: 'IngestKnowledgeFile',
  path: '/ai/knowledge/:profileId/file',
  summary: 'Add a file to the knowledge',
  means:
    'The text of a PDF, DOCX, HTML, Markdown, CSV or text file of 20 MiB at most. Scripts, styles and heads of HTML are left out, and so ' +
    'are pictures. Other kinds answer 415; a file that cannot be read, or that takes too much time or memory, 400 naming `file`. The file ' +
    `itself is not kept. Without \`name\` it has the file's. ${limitsOfKnowledge}`,
  body: closed({ ...ingestFields, file: StoredFile }),
  upload: 'file',
  uploadLimit: knowledgeFileLimit,
  uploadPasses: true,
  timeoutMs: 120_000,
  errors: fileErrors,
  example: {
    name: 'Price list',
    language: 'english',
    file: {
      key: '0198c0de-0000-7000-8000-000000000001/uploads/0198c0de-0000-7000-8000-000000000003',
      size: 48_213,
      mimetype: 'application/pdf',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      filename: 'prices.pdf',
    },
  },
});

export const IngestKnowledgeUrl = operation({
  ...ingest,
  name: 'IngestKnowledgeUrl',
  path: '/ai/knowledge/:profileId/url',
  summary: 'Add a page to the knowledge',
  means:
    'Fetches a URL once, within 30 seconds, and takes in what is there as it does a file; redirects are not followed. Without `name` it ' +
    `has the title of the page, or the URL. ${limitsOfKnowledge}`,
  body: closed({
    ...ingestFields,
    url: { ...MediaUrl, description: 'http or https, publicly reachable; or the URL of an upload' },
  }),
  timeoutMs: 120_000,
  errors: [...fileErrors, 'MEDIA_UNAVAILABLE'],
  example: { url: 'https://example.com/delivery.html', language: 'english' },
});

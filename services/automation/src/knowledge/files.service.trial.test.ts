import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IngestKnowledgeFile, IngestKnowledgeUrl } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import type { Ingested } from './ingesting.ts';
import { KnowledgeFixture } from './knowledge.fixture.ts';
import { docxBomb, docxOf, nestedPdf, pdfBomb, pdfOf, zipOfOne } from './reading/made-files.fixture.ts';

let knows: KnowledgeFixture;
let server: Server;
let origin: string;
let answer: RequestListener;
beforeAll(async () => {
  knows = await KnowledgeFixture.start();
  server = createServer((request, response) => answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await knows.service.stop();
  server.close();
  server.closeAllConnections();
});
beforeEach(() => knows.renew());

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
const page = `<!doctype html><html><head><title>Shop &amp; more</title><style>p { color: hidden }</style></head>
  <body><h1>Delivery</h1><p>We deliver <b>within</b> two&nbsp;days.<script>secret()</script><p>Not on Sundays.</body></html>`;

const refusalOf = async (filename: string, bytes: Buffer, mimetype?: string) =>
  knows.refusal(IngestKnowledgeFile, {
    params: { profileId: knows.profileId },
    body: { file: await knows.file(filename, bytes, mimetype) },
  });

describe('a file', () => {
  it.each<[string, string, Buffer, string]>([
    [
      'pdf',
      'prices.pdf',
      pdfOf([['We deliver (fast)', 'within two days.'], ['Not on Sundays.']]),
      'We deliver (fast)\nwithin two days.\n\nNot on Sundays.',
    ],
    ['docx', 'prices.docx', docxOf(['We deliver fast.', 'Tea & cake']), 'We deliver fast.\n\nTea & cake'],
    ['html', 'prices.html', Buffer.from(page), 'Delivery\n\nWe deliver within two days.\n\nNot on Sundays.'],
    ['markdown', 'prices.md', Buffer.from('# Delivery\n\nWe deliver *fast*.'), '# Delivery\n\nWe deliver *fast*.'],
    [
      'csv',
      'prices.csv',
      Buffer.from('item;price\nDeliver;5\n"Gift\nwrap";2\n'),
      'item: Deliver\nprice: 5\n\nitem: Gift\nwrap\nprice: 2',
    ],
    ['text', 'prices.txt', Buffer.from('\uFEFFWe deliver.'), 'We deliver.'],
    ['text', 'windows.txt', Buffer.from('Lieferung f\xfcr 5 \x80: deliver', 'latin1'), 'Lieferung für 5 €: deliver'],
    ['text', 'wide.txt', Buffer.from('\uFEFFWe deliver.', 'utf16le'), 'We deliver.'],
    ['html', 'west.html', Buffer.from('<meta charset="iso-8859-1"><p>deliver f\xfcr', 'latin1'), 'deliver für'],
    ['pdf', 'really-a-pdf.txt', pdfOf([['We deliver.']]), 'We deliver.'],
  ])('of type %s (%s) is read', async (type, filename, bytes, content) => {
    const made = await knows.addFile(await knows.file(filename, bytes));
    expect(made).toEqual({ id: expect.any(String), name: filename, chunkCount: 1, status: 'ready' });
    expect((await knows.list()).items).toEqual([
      expect.objectContaining({ id: made.id, name: filename, type, url: null }),
    ]);
    expect((await knows.found('deliver')).map((hit) => hit.content)).toEqual([content]);
  });

  it('has the name and the language that it is given', async () => {
    const file = await knows.file('a.txt', Buffer.from('Our parcels were delivered.'));
    expect(await knows.addFile(file, { name: 'Delivery', language: 'english' })).toMatchObject({ name: 'Delivery' });
    expect(await knows.found('delivering')).toHaveLength(1);
  });

  it.each<[string, Buffer, string]>([
    ['photo.png', png, ''],
    ['photo.jpg', png, 'image/jpeg'],
    ['things.zip', zipOfOne(), ''],
    ['data.json', Buffer.from('{}'), 'application/json'],
    ['nothing-known', Buffer.from([1, 2, 3, 255]), ''],
  ])('of another kind (%s) is refused', async (filename, bytes, mimetype) => {
    expect(await refusalOf(filename, bytes, mimetype)).toEqual(['UNSUPPORTED_MEDIA_TYPE', 'body.file']);
    expect(await knows.count('knowledge_documents')).toBe(0);
  });

  it.each<[string, string, Buffer]>([
    ['text that is called PDF', 'a.pdf', Buffer.from('no PDF')],
    ['a picture that is called PDF', 'a.pdf', png],
    ['a PDF that breaks off', 'a.pdf', pdfOf([['We deliver.']]).subarray(0, 60)],
    ['a PDF without text', 'a.pdf', pdfOf([[]])],
    ['an archive that is called DOCX', 'a.docx', zipOfOne()],
    ['a DOCX that breaks off', 'a.docx', docxOf(['We deliver.']).subarray(0, 300)],
    ['a picture that is called text', 'a.txt', png],
    ['a CSV with an open quote', 'a.csv', Buffer.from('a,b\n"1,2\n')],
    ['nothing but white space', 'a.md', Buffer.from(' \n\n ')],
    ['a page without text', 'a.html', Buffer.from('<title>x</title><script>y</script>')],
  ])('that is %s is refused by its name', async (_, filename, bytes) => {
    expect(await refusalOf(filename, bytes)).toEqual(['VALIDATION_ERROR', 'body.file']);
    expect(await knows.count('knowledge_documents')).toBe(0);
  });

  it('that would take all memory or time is given up, and others are read meanwhile', async () => {
    const bombs = [refusalOf('a.pdf', pdfBomb()), refusalOf('a.docx', docxBomb()), refusalOf('a.pdf', nestedPdf())];
    await Promise.all(bombs.map((one) => expect(one).resolves.toEqual(['VALIDATION_ERROR', 'body.file'])));
    expect(await knows.count('knowledge_documents')).toBe(0);
    knows.caller = testCaller();
    expect(await knows.addFile(await knows.file('a.txt', Buffer.from('We deliver.')))).toMatchObject({ chunkCount: 1 });
  });
});

describe('a page', () => {
  const add = (url: string, given: object = {}): Promise<Ingested> =>
    knows.ask(IngestKnowledgeUrl, { params: { profileId: knows.profileId }, body: { url, ...given } });
  const refusal = (url: string) =>
    knows.refusal(IngestKnowledgeUrl, { params: { profileId: knows.profileId }, body: { url } });
  const serve =
    (type: string, body: Buffer | string, status = 200): RequestListener =>
    (_, response) =>
      void response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1/' }).end(body);

  it('is read under its title', async () => {
    answer = serve('text/html; charset=utf-8', page);
    const made = await add(`${origin}/delivery`);
    expect(made).toMatchObject({ name: 'Shop & more', chunkCount: 1, status: 'ready' });
    expect((await knows.list()).items).toEqual([expect.objectContaining({ type: 'html', url: `${origin}/delivery` })]);
    expect(await add(`${origin}/delivery`, { name: 'Mine' })).toMatchObject({ name: 'Mine' });
  });

  it.each<[string, string, string, Buffer]>([
    ['pdf', '/files/7', 'application/pdf', pdfOf([['We deliver.']])],
    ['markdown', '/readme.md', 'text/plain', Buffer.from('# We deliver')],
    ['html', '/west', 'text/html; charset=iso-8859-1', Buffer.from('<html><meta charset=iso-8859-1>f\xfcr', 'latin1')],
    ['text', '/plain', 'text/plain', Buffer.from('We deliver')],
  ])('may be %s', async (type, path, mimetype, bytes) => {
    answer = serve(mimetype, bytes);
    await add(`${origin}${path}`);
    expect((await knows.list()).items).toEqual([
      expect.objectContaining({ type, name: `${origin}${path}`, url: `${origin}${path}` }),
    ]);
  });

  it.each<[string, RequestListener, readonly string[]]>([
    ['redirects', serve('text/html', '', 302), ['MEDIA_UNAVAILABLE']],
    ['is not there', serve('text/html', '', 404), ['MEDIA_UNAVAILABLE']],
    [
      'breaks off',
      (_, response) => void response.writeHead(200, { 'content-length': '9' }).write('a', () => response.destroy()),
      ['MEDIA_UNAVAILABLE'],
    ],
    ['is a picture', serve('image/png', png), ['UNSUPPORTED_MEDIA_TYPE', 'body.url']],
    ['is no PDF', serve('application/octet-stream', 'no'), ['VALIDATION_ERROR', 'body.url']],
    [
      'has no end',
      (_, response) => {
        const go = (): void => {
          while (!response.destroyed && response.write('word '.repeat(50_000)));
        };
        response.writeHead(200, { 'content-type': 'text/plain' }).on('drain', go);
        go();
      },
      ['PAYLOAD_TOO_LARGE', 'body.url'],
    ],
  ])('that %s is refused', async (path, listener, refused) => {
    answer = listener;
    expect(await refusal(`${origin}/${path.includes('PDF') ? 'prices.pdf' : 'prices'}`)).toEqual(refused);
    expect(await knows.count('knowledge_documents')).toBe(0);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'ftp://example.com/a',
    'nonsense',
    'http://user:pw@example.com/',
  ])('at %s is not asked for', async (url) => expect(await refusal(url)).toEqual(['VALIDATION_ERROR', 'body.url']));
});

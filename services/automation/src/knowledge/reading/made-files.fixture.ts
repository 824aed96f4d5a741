import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Files as they are made elsewhere, and such that do harm. */

/** A PDF with a line of text for each entry of a page. */
export function pdfOf(pages: readonly (readonly string[])[]): Buffer {
  const contents = pages.map((lines) =>
    Buffer.from(
      `BT /F1 12 Tf 50 750 Td 14 TL ${lines
        .map((line) => (line === '' ? 'T* T*' : `(${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj T*`))
        .join('\n')} ET`,
    ),
  );
  return pdfWith(contents.map((content) => streamOf('', content)));
}

/** A PDF whose one page holds gigabytes of blanks. */
export const pdfBomb = (): Buffer =>
  pdfWith([
    streamOf(
      '/Filter [/FlateDecode /FlateDecode]',
      deflateSync(Buffer.concat([Buffer.from([0x78, 0x9c]), ...manyBlanks()])),
    ),
  ]);

/** A PDF whose page shows a form ten times that shows another one ten times, and so on. */
export function nestedPdf(levels = 12): Buffer {
  const forms = Array.from({ length: levels }, (_, level) =>
    streamOf(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> ${
        level + 1 < levels ? `/XObject << /X ${firstForm + level + 1} 0 R >>` : ''
      } >>`,
      Buffer.from(level + 1 < levels ? '/X Do '.repeat(10) : 'BT /F1 1 Tf (x) Tj ET'),
    ),
  );
  return pdfWith([streamOf('', Buffer.from('/X Do '.repeat(10)))], forms);
}

const firstForm = 6;

function pdfWith(contents: readonly Buffer[], more: readonly Buffer[] = []): Buffer {
  const firstPage = 4;
  const numbers = contents.map((_, place) => firstPage + 2 * place);
  const xObject = more.length > 0 ? `/XObject << /X ${firstForm} 0 R >>` : '';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${contents.length} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, place) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${firstPage + 2 * place + 1} 0 R ` +
        `/Resources << /Font << /F1 3 0 R >> ${xObject} >> >>`,
      content,
    ]),
    ...more,
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [place, object] of objects.entries()) {
    places.push(length);
    const part = Buffer.concat([Buffer.from(`${place + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const streamOf = (fields: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<< ${fields} /Length ${bytes.length} >>\nstream\n`), bytes, Buffer.from('\nendstream')]);

/** 4 GB of blanks, packed so that it takes no time to make. */
function manyBlanks(): Buffer[] {
  const block = deflateRawSync(Buffer.alloc(16 * 1_048_576, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  return [...Array.from({ length: 256 }, () => block), deflateRawSync(Buffer.alloc(0))];
}

const wordXml = (paragraphs: readonly string[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs
      .map(
        (text) =>
          `<w:p><w:r><w:t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</w:t></w:r></w:p>`,
      )
      .join('')}</w:body></w:document>`,
  );

const packed = (content: Buffer): Packed => ({
  bytes: deflateRawSync(content),
  size: content.length,
  crc: crc32(content),
});

/** A Word document. */
export const docxOf = (paragraphs: readonly string[]): Buffer => docxWith(packed(wordXml(paragraphs)));

/** A Word document whose text takes gigabytes. */
export const docxBomb = (): Buffer => docxWith({ bytes: Buffer.concat(manyBlanks()), size: 0xff_ff_ff_f0, crc: 0 });

const docxWith = (document: Packed): Buffer =>
  zipOf({
    '[Content_Types].xml': packed(
      Buffer.from(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
    ),
    '_rels/.rels': packed(
      Buffer.from(
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ),
    ),
    'word/document.xml': document,
  });

/** A ZIP archive that is no document. */
export const zipOfOne = (): Buffer => zipOf({ 'notes.txt': packed(Buffer.from('notes')) });

interface Packed {
  readonly bytes: Buffer;
  readonly size: number;
  readonly crc: number;
}

function zipOf(entries: Readonly<Record<string, Packed>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  for (const [name, { bytes, size, crc }] of Object.entries(entries)) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version
    common.writeUInt16LE(8, 4); // deflated
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(place, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, Buffer.from(name)]),
    );
    parts.push(local);
    place += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(place, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end]);
}

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const isText = /\.(ts|mjs|md|ya?ml|json|Dockerfile|conf|example)$/;
/** Files that are installed, written by tools, frozen or not ours. */
const isForeign = /(^|\/)(node_modules|generated|published|released|data)\/|package-lock\.json$|\.schema\.json$/;

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
const files = [
  ...readdirSync(root),
  ...['contracts', 'docs', 'infra', 'libs', 'services', 'tools'].flatMap(filesUnder),
].filter((file) => isText.test(file) && !isForeign.test(file));
const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const records = readdirSync(join(root, 'docs/decisions'));
/** `docs/decisions/0100` or with the whole name; either must lead to a record. */
const leads = (cited: string): boolean =>
  records.some((record) => (/\d{4}$/.test(cited) ? record.startsWith(`${cited}-`) : record === cited));

/** Headings of a page as links name them. */
const headingsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('citations', () => {
  it('name no section of a document: what is cited is a file of the repository', () => {
    const sections = texts.filter(({ text }) => text.includes('\u00A7'));
    expect(sections.map(({ file }) => file)).toEqual([]);
  });

  it('of decision records lead to a record', () => {
    const cited = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/docs\/decisions\/(\d{4}[\w-]*(?:\.md)?)/g)].map(([, record = '']) => ({ file, record })),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ record }) => !leads(record))).toEqual([]);
  });

  it('of records in records lead to one', () => {
    const cited = texts
      .filter(({ file }) => file.startsWith('docs/decisions/'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/(?<=[( ,])0[0-6]\d\d(?=[),.:;]| (?![\d]))/g)].map(([record]) => ({ file, record })),
      );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ record }) => !leads(record))).toEqual([]);
  });

  it('links of Markdown files lead to a file, and to a heading that is there', () => {
    const links = texts
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, link = '', heading]) => {
          const target = link === '' ? file : join(dirname(file), link);
          return { file, target, heading };
        }),
      );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
    const named = links.filter(({ heading }) => heading !== undefined);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ target, heading = '' }) => !headingsOf(target).includes(heading))).toEqual([]);
  });

  it('READMEs of packages name files and folders that are there', () => {
    const named = texts
      .filter(({ file }) => /^(?:contracts|tools|(?:libs|services|infra)\/[\w-]+)\/README\.md$/.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/`([\w@.-]+(?:\/[\w.-]+)*(?:\.(?:ts|mjs|yml|sql|sh)|\/))`/g)].map(([, name = '']) => ({
          file,
          name,
        })),
      );
    expect(named.length).toBeGreaterThan(50);
    const isThere = (file: string, name: string): boolean =>
      ['.', dirname(file), join(dirname(file), 'src')].some((folder) => existsSync(join(root, folder, name)));
    expect(named.filter(({ file, name }) => !isThere(file, name))).toEqual([]);
  });
});

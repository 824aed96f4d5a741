import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { URLPattern } from 'node:url';

/** A row of `.page-files.json`, which the build writes. */
interface Row {
  /** As URLPattern takes it. */
  readonly pathname: string;
  readonly files: readonly string[];
  /** Paths of the API that the page reads first. */
  readonly asks: readonly string[];
}

/**
 * What the page of an address needs beside the files that `index.html` names, as the header `Link`: a browser fetches it at once, not when
 * the first script asks for it. Nothing for addresses that the build does not know.
 *
 * @param hasApi whether the API is at the origin of the page
 */
export function pageFiles(folder: string, hasApi: boolean): (path: string) => { readonly Link?: string } {
  const file = join(folder, '.page-files.json');
  const rows = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Row[]) : [];
  const known = rows.map(({ pathname, files, asks }) => {
    const links = [...files.map(script), ...(hasApi ? asks.map(answer) : [])];
    return { pattern: new URLPattern({ pathname }), headers: links.length === 0 ? {} : { Link: links.join(', ') } };
  });
  return (pathname) => known.find(({ pattern }) => pattern.test({ pathname }))?.headers ?? {};
}

const script = (file: string): string => `<${file}>; rel=modulepreload; crossorigin`;
const answer = (path: string): string => `<${path}>; rel=preload; as=fetch; crossorigin`;

const link = /https?:\/\/[^\s<>"'`]+/i;
/** Signs that end a sentence rather than an address. */
const ending = /[.,;:!?*_~'"]$/;
/** No address is longer. */
const most = 2_048;

/** The first web address that a text names, as it stands there. */
export function firstLink(text: string): string | undefined {
  let [found] = link.exec(text) ?? [];
  while (found !== undefined && (ending.test(found) || isUnopened(found))) found = found.slice(0, -1);
  return found !== undefined && found.length <= most && URL.canParse(found) ? found : undefined;
}

/** A bracket that closes what stood open before the address. */
const isUnopened = (found: string): boolean =>
  (found.endsWith(')') && !found.includes('(')) || (found.endsWith(']') && !found.includes('['));

import { useEffect, useRef, useState } from 'react';
import { sendInSession } from '../api/client.ts';
import { pace } from '../api/pace.ts';
import { apiAddress, apiHost } from '../api/sending.ts';

/** Where media of the gateway are fetched; undefined for those that lie elsewhere. */
export function mediaAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const home = new URL(apiHost === '' ? location.origin : apiHost);
  const at = new URL(url, home);
  const isHere = at.origin === home.origin && at.pathname.startsWith('/api/v1/');
  return isHere ? `${apiHost}${at.pathname}` : undefined;
}

const units = ['B', 'KB', 'MB', 'GB'];

/** A size in words, for example `1.2 MB`. @param number formats a number in the user's language */
export function sizeWords(bytes: number, number: (value: number) => string): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${number(Math.round((bytes / 1000 ** power) * 10) / 10)} ${units[power]}`;
}

/** Pictures that were fetched, by their address: shown again they cost no request. */
const fetched = new Map<string, Promise<string>>();
const mostFetched = 300;
/** A picture is fetched once it was in view for so long, milliseconds: one that is scrolled past is not. */
const lookedAtMs = 250;

function fetchPicture(address: string): Promise<string> {
  const known = fetched.get(address);
  if (known !== undefined) return known;
  const fetching = load(address);
  fetched.set(address, fetching);
  fetching.catch(() => fetched.delete(address));
  const [oldest] = fetched.keys();
  if (fetched.size > mostFetched && oldest !== undefined) {
    void fetched.get(oldest)?.then((url) => URL.revokeObjectURL(url));
    fetched.delete(oldest);
  }
  return fetching;
}

/** Waits for room in the throttles: there may be sixty pictures in a chat, and other things to ask for. */
async function load(address: string): Promise<string> {
  const answer = await sendInSession(address.slice(apiAddress('').length), { method: 'GET' }, 'message:read');
  if (!answer.ok) throw new Error(`The picture was answered with ${answer.status}.`);
  return URL.createObjectURL(await answer.blob());
}

interface Picture {
  /** On the element that is looked at. */
  readonly ref: React.RefObject<HTMLDivElement | null>;
  /** Address for an `img`; undefined until it is there. */
  readonly source: string | undefined;
  readonly isMissing: boolean;
}

/** A picture of the gateway, fetched once it has been looked at for a moment. */
export function usePicture(address: string): Picture {
  const ref = useRef<HTMLDivElement>(null);
  const [source, setSource] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () =>
      void fetchPicture(address).then(
        (url) => isGone || setSource(url),
        () => isGone || setMissing(true),
      );
    if (fetched.has(address)) show();
    const watching = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting === true) timer = setTimeout(show, lookedAtMs + pace.wait(Date.now()));
    });
    if (ref.current !== null && !fetched.has(address)) watching.observe(ref.current);
    return () => {
      isGone = true;
      clearTimeout(timer);
      watching.disconnect();
    };
  }, [address]);
  return { ref, source, isMissing };
}

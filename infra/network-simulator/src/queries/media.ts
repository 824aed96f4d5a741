import { node } from '../connection/nodes.ts';
import type { Query } from './answer.ts';

const HOLDS_FOR_SECONDS = 300;
const LARGEST_FILE = 150 * 1024 * 1024;

/** Where to upload files to, and the word that has to come with them. */
const mediaConnection: Query = ({ media }) => {
  const seconds = String(HOLDS_FOR_SECONDS);
  const host = node('host', { hostname: media.name, maxContentLengthBytes: String(LARGEST_FILE) });
  return [node('media_conn', { auth: media.word, ttl: seconds, auth_ttl: seconds, max_buckets: '12' }, [host])];
};

/** Questions of clients about the media hosts. */
export const mediaQueries: Record<string, Query> = {
  'w:m set media_conn': mediaConnection,
};

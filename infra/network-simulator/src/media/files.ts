/** One encrypted file as it lies on the media host. */
export type EncryptedFile = {
  bytes: Buffer;
  /** Stops half-way when it is fetched. */
  stalled: boolean;
};

const KEPT_BYTES = 1024 * 1024 * 1024;
const LEADS_TO_FILE = /^\/v\/[a-z-]+\/[\w-]+\.enc$/;

/** What lies on the media host, by path; kept in memory, the oldest goes when it becomes too much. */
export class MediaFiles {
  private readonly files = new Map<string, EncryptedFile>();
  private size = 0;

  /**
   * @param kind as in the paths of uploads: image, video, audio, document, md-app-state
   * @param token hash of the bytes, base64url
   * @returns the path to fetch it from
   */
  put(kind: string, token: string, bytes: Buffer, stalled = false): string {
    const path = `/v/${kind}/${token}.enc`;
    this.remove(path);
    this.files.set(path, { bytes, stalled });
    this.size += bytes.length;
    for (const oldest of this.files.keys()) {
      if (this.size <= KEPT_BYTES || oldest === path) break;
      this.remove(oldest);
    }
    return `${path}?ccb=11-4`;
  }

  /** @param path with or without a query */
  get(path: string): EncryptedFile | undefined {
    return this.files.get(path.split('?', 1)[0] ?? '');
  }

  remove(path: string): void {
    const [key = ''] = path.split('?', 1);
    this.size -= this.files.get(key)?.bytes.length ?? 0;
    this.files.delete(key);
  }

  clear(): void {
    this.files.clear();
    this.size = 0;
  }
}

export function isPathOfFile(path: string): boolean {
  return LEADS_TO_FILE.test(path);
}

/** One encrypted file as it lies on the media host. */
export type EncryptedFile = {
  bytes: Buffer;
  /** Stops half-way when it is fetched. */
  stalled: boolean;
};

const KEPT_BYTES = 1024 * 1024 * 1024;
const LEADS_TO_FILE = /^\/v\/[a-z-]+\/[\w-]+\.enc$/;

/** Files of the media host, by path; kept in memory, the oldest goes when it becomes too much. */
export class MediaFiles {
  private readonly files = new Map<string, EncryptedFile>();
  /** Files that phones still have after they went from the host. */
  private readonly gone = new Map<string, EncryptedFile>();
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
    return this.files.get(pathIn(path));
  }

  remove(path: string): void {
    const key = pathIn(path);
    this.size -= this.files.get(key)?.bytes.length ?? 0;
    this.files.delete(key);
  }

  /** Takes a file from the host; the phones of those who have its message keep it. */
  withdraw(path: string): void {
    const file = this.get(path);
    this.remove(path);
    if (file !== undefined) this.gone.set(pathIn(path), file);
  }

  /** Lays a file that was withdrawn on the host again. @returns its new path; undefined when nobody has it */
  restore(path: string): string | undefined {
    const file = this.gone.get(pathIn(path)) ?? this.get(path);
    const [, , kind = '', name = ''] = pathIn(path).split('/');
    return file && this.put(kind, `${name.replace('.enc', '')}-anew`, file.bytes);
  }

  clear(): void {
    this.files.clear();
    this.gone.clear();
    this.size = 0;
  }
}

function pathIn(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

export function isPathOfFile(path: string): boolean {
  return LEADS_TO_FILE.test(path);
}

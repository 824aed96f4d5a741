/** An object of Kubernetes, as far as this cluster asks. Its parts differ from kind to kind. */
export interface KubernetesObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: any; // oxlint-disable-line typescript/no-explicit-any
  readonly status?: any; // oxlint-disable-line typescript/no-explicit-any
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

/** Refusal of the API server. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The API server, behind a proxy on loopback that asks for no credential. */
export class KubernetesApi {
  readonly #base: string;
  constructor(base: string) {
    this.#base = base;
  }

  get<T = KubernetesObject>(path: string): Promise<T> {
    return this.#ask('GET', path) as Promise<T>;
  }

  async list(path: string): Promise<readonly KubernetesObject[]> {
    return (await this.get<{ items: KubernetesObject[] }>(path)).items;
  }

  /** Makes it unless it is there. */
  async create(path: string, body: object): Promise<void> {
    await this.#ask('POST', path, body).catch(unless(409));
  }

  async merge(path: string, body: object): Promise<void> {
    await this.#ask('PATCH', path, body, 'application/merge-patch+json');
  }

  /** Takes it away unless it is gone, or another by now. */
  async remove(path: string, options: object = {}): Promise<void> {
    await this.#ask('DELETE', path, options).catch(unless(404, 409));
  }

  /** All objects of a collection, again after each change, until the signal. What fails is begun anew. */
  async follow(path: string, signal: AbortSignal, told: (all: readonly KubernetesObject[]) => void): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#followOnce(path, signal, told);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
  }

  async #followOnce(
    path: string,
    signal: AbortSignal,
    told: (all: readonly KubernetesObject[]) => void,
  ): Promise<void> {
    const list = await this.get<{ items: KubernetesObject[]; metadata: { resourceVersion: string } }>(path);
    const all = new Map(list.items.map((item) => [item.metadata.uid, item]));
    told([...all.values()]);
    const joint = path.includes('?') ? '&' : '?';
    const from = `${joint}watch=1&resourceVersion=${list.metadata.resourceVersion}`;
    const response = await fetch(`${this.#base}${path}${from}`, { signal });
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as Change;
        if (type === 'ERROR') throw new Error(JSON.stringify(object));
        if (type === 'DELETED') all.delete(object.metadata.uid);
        else all.set(object.metadata.uid, object);
      }
      if (lines.length > 0) told([...all.values()]);
    }
  }

  async #ask(method: string, path: string, body?: object, type = 'application/json'): Promise<unknown> {
    const response = await fetch(this.#base + path, {
      method,
      headers: { 'content-type': type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new ApiError(response.status, `${method} ${path}: ${response.status} ${text.slice(0, 400)}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

const unless =
  (...statuses: readonly number[]) =>
  (error: unknown): void => {
    if (!(error instanceof ApiError) || !statuses.includes(error.status)) throw error;
  };

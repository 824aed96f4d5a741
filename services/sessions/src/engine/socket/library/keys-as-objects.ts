import crypto, { createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const keyed = ['createHmac', 'createCipheriv', 'createDecipheriv'] as const;
const isWrapped = Symbol.for('messaging-gateway keys as objects');

/**
 * Hands keys that are bytes to Node.js as key objects, in the whole process. Node.js finds out that bytes are no key object
 * by two exceptions, which take several times as long as the cipher; the client library has some twenty such keys
 * for each message, and offers no place where they could be made objects.
 *
 * @see docs/decisions/0611-keys-as-objects.md
 */
export function keysAsObjects(): void {
  for (const name of keyed) {
    const made = crypto[name];
    if (isWrapped in made) continue;
    const wrapped = new Proxy(made, {
      apply: (target, self, [algorithm, key, ...others]: unknown[]): unknown =>
        Reflect.apply(target, self, [algorithm, asObject(key), ...others]),
      has: (target, property) => property === isWrapped || property in target,
    });
    Object.assign(crypto, { [name]: wrapped });
  }
  syncBuiltinESMExports();
}

const asObject = (key: unknown): unknown =>
  key instanceof Uint8Array && key.byteLength > 0 ? createSecretKey(key) : key;

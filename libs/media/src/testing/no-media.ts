import type { MediaStore } from '../store.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('This test has no media.'));

/** For services under test that store and read no media. */
export const noMedia: MediaStore = {
  put: refuse,
  get: refuse,
  facts: refuse,
  delete: refuse,
  deleteAll: refuse,
  tidy: refuse,
  close: async () => undefined,
};

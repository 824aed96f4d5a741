import { Unavailable } from '@messaging-gateway/runtime';

interface S3Fault {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export const isAbsent = (error: unknown): boolean => (error as S3Fault).$metadata?.httpStatusCode === 404;

/** Whatever a store says but "not there" is for its operator to mend: to callers it is away. @throws Unavailable */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { name = 'Error', message = '' } = error as S3Fault;
    throw new Unavailable(`The object store does not do its work (${name}: ${message}).`, { cause: error });
  }
}

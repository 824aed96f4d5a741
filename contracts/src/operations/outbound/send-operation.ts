import type { TObject } from 'typebox';
import { operation, type OperationSpec } from '../../contract.ts';
import { sendAnswers, sendErrors } from './send-result.ts';

type Given<B extends TObject> = Pick<
  OperationSpec<TObject, TObject, B>,
  'name' | 'path' | 'summary' | 'means' | 'audit'
> & {
  readonly body: B;
  /** Beside `profileId`. */
  readonly example: object;
  readonly errors?: typeof sendErrors;
};

/** Beside those of every send. */
export const mediaErrors: typeof sendErrors = ['PAYLOAD_TOO_LARGE', 'MEDIA_UNAVAILABLE', 'QUOTA_REACHED'];

/** A route that hands something to the network and answers as all of them do. */
export const sendOperation = <B extends TObject>({ example, errors = [], body, ...given }: Given<B>) => ({
  ...operation({
    ...given,
    body,
    owner: 'outbound',
    method: 'POST',
    access: 'message:send',
    tag: 'Messages',
    audit: given.audit ?? { action: 'message.send', awaited: false },
    bodyLimit: 'media',
    answers: sendAnswers,
    errors: [...sendErrors, ...errors],
    timeoutMs: 90_000,
    example: { profileId: '0198c0de-0000-7000-8000-000000000001', ...example },
  }),
  body,
});

/** Recipient of the examples. */
export const to = '4915112345678';

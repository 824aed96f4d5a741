import type { AuditMark, Decider, StreamType } from '@messaging-gateway/event-sourcing';
import type { Client } from '../client.ts';

interface FailedLogin {
  readonly userId: string;
  readonly client: Client;
}
export type LoginAttemptEvent = { type: 'LoginFailed'; data: FailedLogin };
export type LoginAttemptCommand = { type: 'NoteFailure' } & FailedLogin;

/** A try to log in as a known user with a wrong password: one stream each, for the audit. */
const loginAttempt: Decider<{ noted: boolean }, LoginAttemptCommand, LoginAttemptEvent> = {
  initial: { noted: false },
  decide: ({ userId, client }, state) => (state.noted ? [] : [{ type: 'LoginFailed', data: { userId, client } }]),
  evolve: () => ({ noted: true }),
};

export const loginAttemptStream: StreamType<{ noted: boolean }, LoginAttemptCommand, LoginAttemptEvent> = {
  name: 'login-attempt',
  decider: loginAttempt,
  events: { LoginFailed: { version: 1, personal: ['client'] } },
};

/** For metadata of a request that would have been a login. @param audit its mark */
export const failedLogin = (audit: AuditMark | undefined): { audit?: AuditMark } =>
  audit === undefined ? {} : { audit: { ...audit, action: 'auth.login_failed', resourceType: 'user' } };

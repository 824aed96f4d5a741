import { createHash } from 'node:crypto';
import {
  ChangeMemberRole,
  ChangePassword,
  CloseWorkspace,
  DescribeProfile,
  EnsureDefaultAccount,
  InviteMember,
  Login,
  Refresh,
  Register,
  ResolveCredential,
  type Caller,
  personalDataHolders,
} from '@messaging-gateway/contracts';
import { testService, type TestService, type TestServiceOptions } from '@messaging-gateway/service/testing';
import { Refused } from '@messaging-gateway/messaging';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import { identity, type IdentitySettings } from './index.ts';

export const settings: IdentitySettings = {
  jwtSecret: 'an access secret of 32 characters',
  jwtRefreshSecret: 'a refresh secret of 32 characters',
  jwtExpiresIn: 604_800_000,
  jwtRefreshExpiresIn: 2_592_000_000,
  registration: 'open',
  allowPrivateTargets: true,
  smtpUrl: undefined,
  smtpFrom: undefined,
};
export const password = 'correct horse battery';

export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  user: { id: string; organizationId: string; role: string; permissions: string[] };
}

export interface Claims {
  sub: string;
  sid: string;
  org: string;
  typ: string;
}

export interface Invited {
  id: string;
  email: string;
  role: string;
  roleId: string;
  temporaryPassword: string;
}

/** The machine may pause. */
const patient = { timeoutMs: 60_000 };

let number = 0;
/** Profiles that sessions does not know. */
export const unknownProfiles = new Set<string>();

export const newAddress = (): string => `person-${(number += 1)}@example.com`;
export const claimsOf = (token: string): Claims => jwt.decode(token) as unknown as Claims;

interface Erased {
  readonly by: string;
  readonly whose: { readonly userId: string };
}

/** Identity with sessions faked, and what its clients and the gateway do. */
export class IdentityFixture {
  readonly service: TestService;
  /** Organizations for which sessions was asked to make the default account. */
  readonly askedAccounts: readonly string[];
  /** Workspaces in which sessions has accounts. */
  readonly fullWorkspaces: Set<string>;
  /** Whose data which service was asked to erase, by the operation that asked it. */
  readonly erased: readonly Erased[];

  private constructor(
    service: TestService,
    askedAccounts: readonly string[],
    fullWorkspaces: Set<string>,
    erased: readonly Erased[],
  ) {
    this.service = service;
    this.askedAccounts = askedAccounts;
    this.fullWorkspaces = fullWorkspaces;
    this.erased = erased;
  }

  static async start(host: Omit<TestServiceOptions<IdentitySettings>, 'settings'> = {}): Promise<IdentityFixture> {
    const askedAccounts: string[] = [];
    const fullWorkspaces = new Set<string>();
    const erased: Erased[] = [];
    const service = await testService(identity, {
      ...host,
      settings,
      others: async (fake) => {
        await fake(EnsureDefaultAccount, ({ organizationId }) => {
          askedAccounts.push(organizationId);
          return { accountId: v7() };
        });
        await fake(DescribeProfile, ({ profileId }) => {
          if (unknownProfiles.has(profileId)) throw new Refused('NOT_FOUND', 'There is no such profile.');
          return { profileId, status: 'connected' as const };
        });
        for (const { erase } of personalDataHolders)
          await fake(erase, (whose) => {
            erased.push({ by: erase.name, whose });
            return {};
          });
        await fake(CloseWorkspace, ({ workspaceId }) => ({ closed: !fullWorkspaces.has(workspaceId) }));
      },
    });
    return new IdentityFixture(service, askedAccounts, fullWorkspaces, erased);
  }

  async register(email = newAddress(), more: object = {}): Promise<SignedIn> {
    return (await this.service.call(Register, { body: { email, password, name: 'Ada' }, ...more })).body as SignedIn;
  }

  async logIn(email: string, given = password): Promise<SignedIn> {
    return (await this.service.call(Login, { body: { email, password: given } })).body as SignedIn;
  }

  async refresh(refreshToken: string): Promise<SignedIn> {
    return (await this.service.call(Refresh, { body: { refreshToken } })).body as SignedIn;
  }

  /** The gateway's caller for an access token. @throws Error when the session is over */
  async callerOf({ accessToken }: { accessToken: string }): Promise<Caller> {
    const claims = jwt.verify(accessToken, settings.jwtSecret) as unknown as Claims;
    const { sub: userId, sid: sessionId, org: organizationId } = claims;
    const asked = { kind: 'session', sessionId, userId, organizationId } as const;
    const { credential } = await this.service.ask(ResolveCredential, asked, patient);
    if (credential === null) throw new Error('The session is over.');
    return credential;
  }

  /** The gateway's caller for an API key; null when the key is not valid. */
  async callerOfKey(key: string): Promise<Caller | null> {
    const hash = createHash('sha256').update(key).digest('hex');
    return (await this.service.ask(ResolveCredential, { kind: 'api-key', hash }, patient)).credential;
  }

  async newCaller(): Promise<Caller> {
    return this.callerOf(await this.register());
  }

  async invite(caller: Caller, role?: string, email = newAddress(), more: object = {}): Promise<Invited> {
    const body = { email, name: 'Grace', ...(role !== undefined && { role }) };
    return (await this.service.call(InviteMember, { caller, body, ...more })).body as Invited;
  }

  /** An invited member who has changed the temporary password. */
  async memberOf(owner: Caller, role: string): Promise<{ invited: Invited; person: SignedIn; caller: Caller }> {
    const invited = await this.invite(owner, role);
    const person = await this.logIn(invited.email, invited.temporaryPassword);
    await this.service.call(ChangePassword, {
      caller: await this.callerOf(person),
      body: { currentPassword: invited.temporaryPassword, newPassword: password },
    });
    return { invited, person, caller: await this.callerOf(person) };
  }

  changeRole(caller: Caller, id: string, role: string) {
    return this.service.call(ChangeMemberRole, { caller, params: { id }, body: { role } });
  }
}

import {
  DescribeWorkspace,
  namedUuids,
  type Caller,
  type CreateAccount,
  type UpdateAccount,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type InputOf, type RequestContext, type ServiceTools } from '@messaging-gateway/service';
import { hasProfiles, listAccounts, readAccount, type AccountFilters, type ShownAccount } from './account-table.ts';
import { accountStream } from './account.ts';

const idOf = namedUuids('3f0a6f57-2b0e-5d7c-9d53-6a52b21a4f0b');

/** The id of an organization's account "Default" follows from the organization, so that it is made once. */
const defaultAccountOf = (organizationId: string): string => idOf(organizationId);

type Tools = Pick<ServiceTools<unknown>, 'store' | 'sql' | 'clock' | 'ask'>;

/** Accounts: folders for profiles. */
export class Accounts {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  list(caller: Caller, filters: AccountFilters) {
    return listAccounts(this.#tools.sql, caller.organizationId, filters);
  }

  read(caller: Caller, id: string): Promise<ShownAccount> {
    return readAccount(this.#tools.sql, caller.organizationId, id);
  }

  async create({ body, caller, context }: InputOf<typeof CreateAccount>): Promise<ShownAccount> {
    const { store } = this.#tools;
    const accountId = context.resourceId;
    const workspaceId = await this.#workspaceFor(body.workspaceId, caller, context);
    const command = {
      type: 'CreateAccount',
      accountId,
      workspaceId,
      name: body.name,
      description: body.description ?? undefined,
      at: this.#now(),
    } as const;
    const { outcome } = await store.handle(accountStream, accountId, command, {
      ...this.#options(caller.organizationId, context, caller),
      guard: { name: 'open-workspace', request: { workspaceId, organizationId: caller.organizationId } },
    });
    if (outcome === 'guarded') throw new Refused('CONFLICT', 'The workspace is being deleted.');
    return this.read(caller, accountId);
  }

  /** @throws Refused NOT_FOUND when the organization has no such workspace */
  async #workspaceFor(asked: string | undefined, caller: Caller, context: RequestContext): Promise<string> {
    const { organizationId } = caller;
    if (asked === undefined) return (await this.ensureDefault(organizationId, undefined, context)).workspaceId;
    const { requestId, deadline } = context;
    const body = { organizationId, workspaceId: asked };
    return (await this.#tools.ask(DescribeWorkspace, body, { requestId, deadline })).workspaceId;
  }

  async update({ params: { id }, body, caller, context }: InputOf<typeof UpdateAccount>): Promise<ShownAccount> {
    await this.read(caller, id);
    await this.#tools.store.handle(
      accountStream,
      id,
      { type: 'ChangeAccount', ...body, at: this.#now() },
      this.#options(caller.organizationId, context, caller),
    );
    return this.read(caller, id);
  }

  /** @throws Refused CONFLICT while it holds profiles */
  async remove(id: string, caller: Caller, context: RequestContext): Promise<void> {
    await this.read(caller, id);
    if (await hasProfiles(this.#tools.sql, id)) throw new Refused('CONFLICT', 'The account still has profiles.');
    await this.#tools.store.handle(
      accountStream,
      id,
      { type: 'DeleteAccount', at: this.#now() },
      this.#options(caller.organizationId, context, caller),
    );
  }

  /**
   * The account "Default", made when it is not there.
   *
   * @param workspaceId undefined: where it was before
   * @throws Refused SERVICE_UNAVAILABLE while the organization's workspace is not known yet
   */
  async ensureDefault(
    organizationId: string,
    workspaceId: string | undefined,
    context?: RequestContext,
  ): Promise<{ accountId: string; workspaceId: string }> {
    const accountId = defaultAccountOf(organizationId);
    const command = { type: 'EnsureDefault', accountId, workspaceId, at: this.#now() } as const;
    const { state } = await this.#tools.store.handle(
      accountStream,
      accountId,
      command,
      this.#options(organizationId, context),
    );
    return { accountId, workspaceId: state.workspaceId as string };
  }

  #options(organizationId: string, context?: RequestContext, caller?: Caller) {
    return {
      metadata: {
        organizationId,
        subject: `organization:${organizationId}`,
        actor: caller === undefined ? 'service:sessions' : actorOf(caller),
        ...(context !== undefined && { requestId: context.requestId }),
      },
      ...(context !== undefined && { onAppended: context.appended }),
    };
  }

  #now(): string {
    return new Date(this.#tools.clock.now()).toISOString();
  }
}

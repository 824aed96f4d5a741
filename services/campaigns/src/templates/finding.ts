import type { Caller, SendableType, Template } from '@messaging-gateway/contracts';
import { placeholdersOf } from '@messaging-gateway/placeholders';
import type { Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { requireSight, scopeOf } from './scope.ts';
import { noSuchTemplate, type Content, type TemplateCategory } from './template.ts';

export type ShownTemplate = Static<typeof Template>;

/** A template as it is read for an answer. */
export interface TemplateRow {
  readonly id: string;
  readonly profile_id: string | null;
  readonly name: string;
  readonly category: TemplateCategory;
  readonly message_type: SendableType;
  /** JSON. */
  readonly content: string;
  readonly uses: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Of `templates t`; up to `WHERE`. */
export const selectTemplates = `
  SELECT t.id, t.profile_id, t.name, t.category, t.message_type, t.content, u.uses, t.created_at, t.updated_at
    FROM templates t LEFT JOIN template_usage u ON u.template_id = t.id`;

/** @throws Refused NOT_FOUND, also for another organization's; FORBIDDEN outside the profiles of an API key */
export async function findTemplate(sql: Sql, id: string, caller: Caller): Promise<TemplateRow> {
  const row = await templateOf(sql, id, caller.organizationId);
  requireSight(scopeOf(caller), row.profile_id);
  return row;
}

/** @throws Refused NOT_FOUND */
export async function templateOf(sql: Sql, id: string, organizationId: string): Promise<TemplateRow> {
  const [row] = await sql.query<TemplateRow>(
    `${selectTemplates} WHERE t.id = $1 AND t.organization_id = $2 AND NOT t.deleted`,
    [id, organizationId],
  );
  if (row === undefined) throw noSuchTemplate();
  return row;
}

export const contentOf = ({ content }: TemplateRow): Content => JSON.parse(content) as Content;

export function shownTemplate(row: TemplateRow): ShownTemplate {
  const content = contentOf(row);
  return {
    id: row.id,
    profileId: row.profile_id,
    name: row.name,
    category: row.category,
    messageType: row.message_type,
    content: { ...content },
    variables: [...new Set(placeholdersOf(content).map(({ name }) => name))],
    usageCount: Number(row.uses ?? 0),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

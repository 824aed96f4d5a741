import {
  ConnectLinkPage,
  CreateLinkPage,
  DeleteLinkPage,
  ListLinkPages,
  ReadLinkPage,
} from '@messaging-gateway/contracts';
import { answer, feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { holding } from '../holding/feature.ts';
import { linkPagesMigration } from './0007-link-pages.migration.ts';
import { linkPageStream, linkPageViews } from './link-page.ts';
import { LinkPages } from './link-pages.ts';

/** How long a page that has ended is kept, days. */
const keptDays = 1;

/** Pages on which whoever has their URL links a profile. */
export const linkPages = feature({
  name: 'link pages',
  streams: [linkPageStream],
  views: linkPageViews,
  migrations: [linkPagesMigration],
  needs: { holding },
  connect: (tools: ServiceTools<SessionsSettings>, { holding: parts }) => {
    const pages = new LinkPages({ tools, ...parts });
    return {
      rows: [
        operation(CreateLinkPage, (input) => pages.make(input)),
        operation(ListLinkPages, (input) => pages.list(input)),
        operation(DeleteLinkPage, async (input) => {
          await pages.withdraw(input);
          return answer(204);
        }),
        operation(ReadLinkPage, (input) => pages.read(input)),
        operation(ConnectLinkPage, (input) => pages.connect(input)),
      ],
      history: [
        {
          stream: linkPageStream,
          days: keptDays,
          settled: async (sql, before) =>
            (
              await sql.query<{ id: string }>(
                'SELECT id FROM link_pages WHERE expires_at < $1 ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED',
                [before],
              )
            ).map(({ id }) => id),
          forget: async (sql, ids) => void (await sql.query('DELETE FROM link_pages WHERE id = ANY($1)', [ids])),
        },
      ],
      personalData: { tables: ['link_pages'] },
    };
  },
});

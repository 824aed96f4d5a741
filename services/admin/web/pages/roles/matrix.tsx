import { useAsk } from '../../api/asking.ts';
import { Icon } from '../../kit/icon.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useTexts } from '../../language/language.tsx';
import type { Role } from './role-dialogs.tsx';
import { texts } from './texts.ts';
import { Section } from '../../kit/card.tsx';

/** What each role allows: a line for a permission, a column for a role. */
export function PermissionMatrix({ roles }: { readonly roles: readonly Role[] }) {
  const t = useTexts(texts);
  const permissions = useAsk('ListPermissions', {});
  return (
    <Section title={t('matrix')}>
      <Loaded of={permissions}>
        {({ items }) => (
          <div
            role="group"
            aria-label={t('matrix')}
            tabIndex={0}
            className="overflow-x-auto rounded-xl border border-line bg-surface"
          >
            <table className="table" aria-label={t('matrix')}>
              <thead>
                <tr>
                  <th scope="col">{t('permission')}</th>
                  {roles.map(({ id, name }) => (
                    <th key={id} scope="col">
                      <bdi>{name}</bdi>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map(({ key }) => (
                  <tr key={key}>
                    <th scope="row" className="font-mono">
                      <bdi>{key}</bdi>
                    </th>
                    {roles.map((role) => (
                      <td key={role.id}>
                        {role.permissions.includes(key) ? (
                          <span className="text-ok">
                            <Icon name="check" />
                            <span className="sr-only">{t('allowed')}</span>
                          </span>
                        ) : (
                          <span className="text-muted">
                            <span aria-hidden="true">–</span>
                            <span className="sr-only">{t('forbidden')}</span>
                          </span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Section>
  );
}

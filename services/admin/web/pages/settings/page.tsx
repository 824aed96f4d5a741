import { Page } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { ChatwootCard } from './chatwoot.tsx';
import { MailCard } from './mail.tsx';
import { OptOutCard } from './opt-out.tsx';
import { OrganizationCard } from './organization.tsx';
import { StorageCard } from './storage.tsx';
import { texts } from './texts.ts';
import { TypebotCard } from './typebot.tsx';

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  return (
    <Page title={t('title')}>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        {may('org:read') && <OrganizationCard />}
        <MailCard />
        <OptOutCard />
        <StorageCard />
        <ChatwootCard />
        <TypebotCard />
      </div>
    </Page>
  );
}

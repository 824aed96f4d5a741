import { useTexts } from '../language/language.tsx';
import { profileLabel, useProfiles } from './profile-select.tsx';
import { texts } from './texts.ts';

/** Name and number of a profile; null: all of them. One that is not known here is shown by its id. */
export function ProfileName({ id }: { readonly id: string | null }) {
  const t = useTexts(texts);
  const profile = useProfiles(id !== null).find((one) => one.id === id);
  if (id === null) return <>{t('all')}</>;
  return <bdi>{profile ? profileLabel(profile) : id}</bdi>;
}

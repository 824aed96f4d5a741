import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Events', id: 'Peristiwa', ar: 'الأحداث' },
  event: { en: 'Event', id: 'Peristiwa', ar: 'الحدث' },
  profile: { en: 'Profile', id: 'Profil', ar: 'الملف الشخصي' },
  when: { en: 'Time', id: 'Waktu', ar: 'الوقت' },
  payload: { en: 'Payload', id: 'Isi', ar: 'المحتوى' },
  show: { en: 'Show payload', id: 'Tampilkan isi', ar: 'عرض المحتوى' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  refresh: { en: 'Refresh', id: 'Segarkan', ar: 'تحديث' },
  newer: {
    en: { one: 'Show {count} newer event', other: 'Show {count} newer events' },
    id: { other: 'Tampilkan {count} peristiwa baru' },
    ar: {
      zero: 'لا أحداث أحدث',
      one: 'عرض حدث أحدث',
      two: 'عرض حدثين أحدث',
      few: 'عرض {count} أحداث أحدث',
      many: 'عرض {count} حدثاً أحدث',
      other: 'عرض {count} حدث أحدث',
    },
  },
  empty: { en: 'No events yet', id: 'Belum ada peristiwa', ar: 'لا أحداث بعد' },
  emptyText: {
    en: 'What webhooks are told stands here for some days: messages, connections, groups.',
    id: 'Yang diberitahukan ke webhook ada di sini beberapa hari: pesan, koneksi, grup.',
    ar: 'يبقى هنا لبضعة أيام ما تُبلَّغ به خطافات الويب: الرسائل والاتصالات والمجموعات.',
  },
});

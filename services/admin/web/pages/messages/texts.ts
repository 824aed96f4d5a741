import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Messages', id: 'Pesan', ar: 'الرسائل' },
  search: { en: 'Search words', id: 'Cari kata', ar: 'البحث عن كلمات' },
  searchHint: {
    en: 'In texts and captions; the last word may be a beginning.',
    id: 'Dalam teks dan keterangan; kata terakhir boleh berupa awalan.',
    ar: 'في النصوص والتعليقات؛ يمكن أن تكون الكلمة الأخيرة بدايةً.',
  },
  time: { en: 'Time', id: 'Waktu', ar: 'الوقت' },
  direction: { en: 'Direction', id: 'Arah', ar: 'الاتجاه' },
  incoming: { en: 'In', id: 'Masuk', ar: 'وارد' },
  outgoing: { en: 'Out', id: 'Keluar', ar: 'صادر' },
  with: { en: 'With', id: 'Dengan', ar: 'مع' },
  message: { en: 'Message', id: 'Pesan', ar: 'الرسالة' },
  state: { en: 'State', id: 'Status', ar: 'الحالة' },
  none: { en: 'No messages', id: 'Tidak ada pesan', ar: 'لا رسائل' },
  noneText: {
    en: 'What this profile sends and receives appears here. Write the first message in the inbox.',
    id: 'Yang dikirim dan diterima profil ini muncul di sini. Tulis pesan pertama di kotak masuk.',
    ar: 'يظهر هنا ما يرسله هذا الملف ويستقبله. اكتب الرسالة الأولى في صندوق الوارد.',
  },
  noneFound: {
    en: 'Nothing fits these words.',
    id: 'Tidak ada yang cocok dengan kata ini.',
    ar: 'لا شيء يطابق هذه الكلمات.',
  },
  noProfile: {
    en: 'Messages belong to a profile. Create one first.',
    id: 'Pesan dimiliki oleh profil. Buat profil dahulu.',
    ar: 'الرسائل تخص ملفاً. أنشئ واحداً أولاً.',
  },
  toInbox: { en: 'Open the inbox', id: 'Buka kotak masuk', ar: 'فتح صندوق الوارد' },
  toProfiles: { en: 'Open profiles', id: 'Buka profil', ar: 'فتح الملفات' },
});

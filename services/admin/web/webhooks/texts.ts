import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  create: { en: 'Create webhook', id: 'Buat webhook', ar: 'إنشاء خطاف ويب' },
  createSubmit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  edit: { en: 'Edit', id: 'Ubah', ar: 'تعديل' },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  url: { en: 'URL', id: 'URL', ar: 'عنوان URL' },
  urlHint: {
    en: 'Where events are posted, http or https.',
    id: 'Tujuan pengiriman peristiwa, http atau https.',
    ar: 'العنوان الذي تُرسل إليه الأحداث، http أو https.',
  },
  secret: { en: 'Secret (optional)', id: 'Rahasia (opsional)', ar: 'السر (اختياري)' },
  secretHint: {
    en: 'Signs every delivery. Copy it now: it is never shown again.',
    id: 'Menandatangani setiap pengiriman. Salin sekarang: tidak akan ditampilkan lagi.',
    ar: 'يوقّع كل تسليم. انسخه الآن: لن يُعرض مرة أخرى.',
  },
  secretKept: {
    en: 'A new one holds at once. Empty: stays as it is. “Rotate secret” lets the old one hold for another day.',
    id: 'Yang baru langsung berlaku. Kosong: tetap. “Putar rahasia” membiarkan yang lama berlaku sehari lagi.',
    ar: 'الجديد يسري فوراً. فارغ: يبقى كما هو. «تدوير السر» يُبقي القديم سارياً يوماً آخر.',
  },
  generate: { en: 'Generate', id: 'Buat acak', ar: 'توليد' },
  events: { en: 'Events', id: 'Peristiwa', ar: 'الأحداث' },
  everything: { en: 'All events', id: 'Semua peristiwa', ar: 'كل الأحداث' },
  everythingHint: {
    en: 'Also of kinds that come with later versions.',
    id: 'Termasuk jenis yang datang bersama versi berikutnya.',
    ar: 'بما فيها أنواع تأتي مع إصدارات لاحقة.',
  },
  profiles: { en: 'Profiles', id: 'Profil', ar: 'الملفات الشخصية' },
  profilesHint: {
    en: 'None chosen: events of every profile.',
    id: 'Tidak ada yang dipilih: peristiwa semua profil.',
    ar: 'بلا اختيار: أحداث كل ملف.',
  },
  headers: { en: 'Headers', id: 'Header', ar: 'الترويسات' },
  headersHint: {
    en: 'Sent with every delivery, one a line: X-Shop: 42. Values are never shown again; ******** keeps one.',
    id: 'Dikirim bersama setiap pengiriman, satu per baris: X-Shop: 42. Nilai tidak ditampilkan lagi; ******** mempertahankannya.',
    ar: 'تُرسل مع كل تسليم، واحدة في كل سطر: X-Shop: 42. لا تُعرض القيم مرة أخرى؛ ******** تُبقي القيمة.',
  },
  signed: {
    en: 'URLs of media need no credential',
    id: 'URL media tanpa kredensial',
    ar: 'عناوين الوسائط بلا اعتماد',
  },
  signedHint: {
    en: 'They are good for an hour after each attempt.',
    id: 'Berlaku satu jam setelah setiap percobaan.',
    ar: 'تصلح ساعة بعد كل محاولة.',
  },
  enabled: { en: 'Enabled', id: 'Aktif', ar: 'مفعّل' },
  disabled: { en: 'Disabled', id: 'Nonaktif', ar: 'معطّل' },
  GONE: {
    en: 'Disabled: the receiver answered 410',
    id: 'Nonaktif: penerima menjawab 410',
    ar: 'معطّل: أجاب المستقبِل بـ 410',
  },
  FAILING: {
    en: 'Disabled: nothing but failures for a long time',
    id: 'Nonaktif: lama hanya kegagalan',
    ar: 'معطّل: لا شيء سوى الإخفاق منذ مدة طويلة',
  },
  saved: { en: 'Saved.', id: 'Tersimpan.', ar: 'تم الحفظ.' },
  created: { en: 'Webhook created.', id: 'Webhook dibuat.', ar: 'تم إنشاء خطاف الويب.' },
  remove: { en: 'Delete webhook', id: 'Hapus webhook', ar: 'حذف خطاف الويب' },
  removeText: {
    en: 'Nothing is delivered to {url} any more, and its deliveries are forgotten.',
    id: 'Tidak ada lagi yang dikirim ke {url}, dan catatan pengirimannya dihapus.',
    ar: 'لن يُسلَّم شيء إلى {url} بعد الآن، وتُنسى عمليات تسليمه.',
  },
  removed: { en: 'Webhook deleted.', id: 'Webhook dihapus.', ar: 'تم حذف خطاف الويب.' },
});

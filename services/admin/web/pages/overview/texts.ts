import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Overview', id: 'Ikhtisar', ar: 'نظرة عامة' },
  steps: { en: 'First steps', id: 'Langkah pertama', ar: 'الخطوات الأولى' },
  stepsText: { en: '{done} of {all} done', id: '{done} dari {all} selesai', ar: 'أُنجز {done} من {all}' },
  done: { en: 'Done', id: 'Selesai', ar: 'تم' },
  profile: { en: 'Create a profile', id: 'Buat profil', ar: 'أنشئ ملفاً شخصياً' },
  profileText: {
    en: 'A profile is one number that is linked here.',
    id: 'Profil adalah satu nomor yang tertaut di sini.',
    ar: 'الملف الشخصي رقم واحد مرتبط هنا.',
  },
  link: { en: 'Link a phone', id: 'Tautkan ponsel', ar: 'اربط هاتفاً' },
  linkText: {
    en: 'Connect the profile and scan its QR code.',
    id: 'Hubungkan profil lalu pindai kode QR.',
    ar: 'صل الملف وامسح رمز QR.',
  },
  send: { en: 'Send a message', id: 'Kirim pesan', ar: 'أرسل رسالة' },
  sendText: {
    en: 'Write to somebody from the inbox.',
    id: 'Tulis kepada seseorang dari kotak masuk.',
    ar: 'اكتب لأحدهم من صندوق الوارد.',
  },
  key: { en: 'Create an API key', id: 'Buat kunci API', ar: 'أنشئ مفتاح API' },
  keyText: {
    en: 'Programs send with a key of their own.',
    id: 'Program mengirim dengan kuncinya sendiri.',
    ar: 'ترسل البرامج بمفتاح خاص بها.',
  },
  webhook: { en: 'Create a webhook', id: 'Buat webhook', ar: 'أنشئ خطاف ويب' },
  webhookText: {
    en: 'Your server is told what happens.',
    id: 'Server Anda diberi tahu apa yang terjadi.',
    ar: 'يُبلَّغ خادمك بما يحدث.',
  },
  profiles: { en: 'Profiles', id: 'Profil', ar: 'الملفات الشخصية' },
  sentToday: { en: 'Sent today', id: 'Terkirim hari ini', ar: 'أُرسل اليوم' },
  unread: { en: 'Unread messages', id: 'Pesan belum dibaca', ar: 'رسائل غير مقروءة' },
  running: { en: 'Running bulk sends', id: 'Kiriman massal berjalan', ar: 'إرسالات جماعية جارية' },
  volume: { en: 'Messages of the last 14 days', id: 'Pesan 14 hari terakhir', ar: 'رسائل آخر 14 يوماً' },
  day: { en: 'Day', id: 'Hari', ar: 'اليوم' },
  incoming: { en: 'Incoming', id: 'Masuk', ar: 'واردة' },
  outgoing: { en: 'Outgoing', id: 'Keluar', ar: 'صادرة' },
  toStatistics: { en: 'All statistics', id: 'Semua statistik', ar: 'كل الإحصاءات' },
  connected: {
    en: '{connected} of {all} connected',
    id: '{connected} dari {all} terhubung',
    ar: '{connected} من {all} متصل',
  },
});

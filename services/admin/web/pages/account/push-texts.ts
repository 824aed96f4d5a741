import { catalogue } from '../../language/catalogue.ts';

export const pushTexts = catalogue({
  title: { en: 'Web Push', id: 'Web Push', ar: 'إشعارات المتصفح' },
  text: {
    en: 'Notifications reach a browser also while no page is open. What is told stands above; signing out here ends it here.',
    id: 'Notifikasi sampai ke peramban juga saat tidak ada halaman terbuka. Isinya diatur di atas; keluar di sini mengakhirinya di sini.',
    ar: 'تصل الإشعارات إلى المتصفح حتى دون صفحة مفتوحة. ما يُخبر به محدد أعلاه؛ وتسجيل الخروج هنا ينهيها هنا.',
  },
  cannot: {
    en: 'This browser takes none here: it needs HTTPS (or localhost), and support for Web Push.',
    id: 'Peramban ini tidak dapat menerimanya di sini: perlu HTTPS (atau localhost) dan dukungan Web Push.',
    ar: 'لا يستقبلها هذا المتصفح هنا: يلزم HTTPS (أو localhost) ودعم إشعارات الويب.',
  },
  refused: {
    en: 'The browser did not allow it. Allow notifications for this site in its settings, then try again.',
    id: 'Peramban tidak mengizinkannya. Izinkan notifikasi untuk situs ini di pengaturannya, lalu coba lagi.',
    ar: 'لم يسمح المتصفح بذلك. اسمح بالإشعارات لهذا الموقع في إعداداته ثم حاول مجدداً.',
  },
  turnOn: { en: 'Turn on in this browser', id: 'Aktifkan di peramban ini', ar: 'تفعيل في هذا المتصفح' },
  turnOff: { en: 'Turn off in this browser', id: 'Nonaktifkan di peramban ini', ar: 'إيقاف في هذا المتصفح' },
  turnedOn: { en: 'This browser is pushed to.', id: 'Peramban ini menerima push.', ar: 'يستقبل هذا المتصفح الإشعارات.' },
  test: { en: 'Send a test', id: 'Kirim uji coba', ar: 'إرسال تجربة' },
  tested: {
    en: '{sent} taken, {failed} not taken',
    id: '{sent} diterima, {failed} tidak',
    ar: 'قُبل {sent}، ولم يُقبل {failed}',
  },
  devices: { en: 'Devices', id: 'Perangkat', ar: 'الأجهزة' },
  service: { en: 'Push service', id: 'Layanan push', ar: 'خدمة الإشعارات' },
  here: { en: 'This browser', id: 'Peramban ini', ar: 'هذا المتصفح' },
  since: { en: 'Since', id: 'Sejak', ar: 'منذ' },
  last: { en: 'Last push', id: 'Push terakhir', ar: 'آخر إشعار' },
  never: { en: 'Never', id: 'Belum pernah', ar: 'أبداً' },
  none: { en: 'No browser is pushed to.', id: 'Belum ada peramban yang menerima.', ar: 'لا متصفح يستقبلها.' },
  remove: { en: 'Remove', id: 'Hapus', ar: 'إزالة' },
  removed: { en: 'Removed.', id: 'Dihapus.', ar: 'تمت الإزالة.' },
});

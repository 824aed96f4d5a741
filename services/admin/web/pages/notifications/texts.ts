import { catalogue } from '../../language/catalogue.ts';

/** Words of `NotificationType`. */
export const typeWords = catalogue({
  message: { en: 'Message', id: 'Pesan', ar: 'رسالة' },
  connection: { en: 'Connection', id: 'Koneksi', ar: 'اتصال' },
  broadcast: { en: 'Broadcast', id: 'Siaran', ar: 'بث' },
  automation: { en: 'Automation', id: 'Otomasi', ar: 'أتمتة' },
  security: { en: 'Security', id: 'Keamanan', ar: 'أمان' },
  system: { en: 'System', id: 'Sistem', ar: 'نظام' },
});

export const texts = catalogue({
  title: { en: 'Notifications', id: 'Pemberitahuan', ar: 'الإشعارات' },
  show: { en: 'Show', id: 'Tampilkan', ar: 'عرض' },
  all: { en: 'All', id: 'Semua', ar: 'الكل' },
  unread: { en: 'Unread', id: 'Belum dibaca', ar: 'غير مقروءة' },
  type: { en: 'Type', id: 'Jenis', ar: 'النوع' },
  allTypes: { en: 'All types', id: 'Semua jenis', ar: 'كل الأنواع' },
  notification: { en: 'Notification', id: 'Pemberitahuan', ar: 'الإشعار' },
  time: { en: 'Time', id: 'Waktu', ar: 'الوقت' },
  isUnread: { en: 'Unread', id: 'Belum dibaca', ar: 'غير مقروء' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  markRead: { en: 'Mark as read', id: 'Tandai dibaca', ar: 'وضع علامة مقروء' },
  remove: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  markAllRead: { en: 'Mark all as read', id: 'Tandai semua dibaca', ar: 'وضع علامة مقروء على الكل' },
  allRead: {
    en: { one: '{count} marked as read.', other: '{count} marked as read.' },
    id: { other: '{count} ditandai dibaca.' },
    ar: {
      zero: 'لا شيء غير مقروء.',
      one: 'عُلّم واحد كمقروء.',
      two: 'عُلّم اثنان كمقروءين.',
      few: 'عُلّمت {count} كمقروءة.',
      many: 'عُلّم {count} كمقروء.',
      other: 'عُلّم {count} كمقروء.',
    },
  },
  removeAll: { en: 'Delete all', id: 'Hapus semua', ar: 'حذف الكل' },
  removeAllText: {
    en: 'All your notifications are deleted. What they are about stays.',
    id: 'Semua pemberitahuan Anda dihapus. Hal yang diberitahukan tetap ada.',
    ar: 'تُحذف كل إشعاراتك. ويبقى ما تتحدث عنه.',
  },
  removeOneText: {
    en: 'The notification is deleted. What it is about stays.',
    id: 'Pemberitahuan dihapus. Hal yang diberitahukan tetap ada.',
    ar: 'يُحذف الإشعار. ويبقى ما يتحدث عنه.',
  },
  removed: { en: 'Deleted.', id: 'Dihapus.', ar: 'تم الحذف.' },
  none: { en: 'No notifications', id: 'Tidak ada pemberitahuan', ar: 'لا إشعارات' },
  noneText: {
    en: 'Messages, connections, broadcasts, security: what you want to be told of you choose in your account.',
    id: 'Pesan, koneksi, siaran, keamanan: pilih di akun Anda apa yang ingin diberitahukan.',
    ar: 'رسائل واتصالات وبث وأمان: تختار في حسابك ما تريد أن تُبلَّغ به.',
  },
  noneFound: {
    en: 'Nothing fits this filter.',
    id: 'Tidak ada yang cocok dengan saringan ini.',
    ar: 'لا شيء يطابق هذا المرشح.',
  },
  toAccount: { en: 'My account', id: 'Akun saya', ar: 'حسابي' },
});

import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Workspaces', id: 'Ruang kerja', ar: 'مساحات العمل' },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  description: { en: 'Description', id: 'Keterangan', ar: 'الوصف' },
  created: { en: 'Created', id: 'Dibuat', ar: 'أُنشئت' },
  accounts: { en: 'Accounts', id: 'Akun', ar: 'الحسابات' },
  showAccounts: { en: 'Show accounts', id: 'Tampilkan akun', ar: 'عرض الحسابات' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  create: { en: 'Create workspace', id: 'Buat ruang kerja', ar: 'إنشاء مساحة عمل' },
  createSubmit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  edit: { en: 'Edit', id: 'Ubah', ar: 'تعديل' },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  saved: { en: 'Saved.', id: 'Tersimpan.', ar: 'تم الحفظ.' },
  delete: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  deleteText: {
    en: '“{name}” can be deleted while it holds no accounts. The first workspace of the organization stays.',
    id: '“{name}” dapat dihapus selama tidak berisi akun. Ruang kerja pertama organisasi tetap ada.',
    ar: 'يمكن حذف «{name}» ما دامت بلا حسابات. تبقى أول مساحة عمل في المؤسسة.',
  },
  deleted: { en: 'Workspace deleted.', id: 'Ruang kerja dihapus.', ar: 'تم حذف مساحة العمل.' },
  empty: { en: 'No workspaces yet', id: 'Belum ada ruang kerja', ar: 'لا مساحات عمل بعد' },
  emptyText: {
    en: 'A workspace holds the accounts of a team.',
    id: 'Ruang kerja memuat akun sebuah tim.',
    ar: 'تضم مساحة العمل حسابات فريق.',
  },
});

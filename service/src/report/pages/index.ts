export { Json, ReportView } from './report-view.tsx';

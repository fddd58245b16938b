const input = document.querySelector('#file');
const status = document.querySelector('#status');
const result = document.querySelector('#result');

// In a worker, so that the page stays responsive however long the file is.
const worker = new Worker('worker.js', { type: 'module' });
const rowsOf = (count) => `${count.toLocaleString('en')} rows`;

worker.addEventListener('message', ({ data }) => {
  if (data.kind === 'ready') {
    input.disabled = false;
    status.textContent = 'Ready. The file stays on this computer, and the network may be off.';
  } else if (data.kind === 'progress') status.textContent = `${rowsOf(data.rows)} so far…`;
  else if (data.kind === 'failed') status.textContent = data.message;
  else {
    status.textContent = `${rowsOf(data.rows)} decoded, ${data.faulty.toLocaleString('en')} of them without a valid VIN.`;
    result.href = URL.createObjectURL(data.csv);
    result.hidden = false;
  }
});

input.addEventListener('change', () => {
  const [file] = input.files;
  if (file === undefined) return;
  URL.revokeObjectURL(result.href);
  result.hidden = true;
  result.download = `decoded-${file.name}`;
  worker.postMessage(file);
});


"use strict";
{
  // Without a script the page shows all there is; with one it can be searched and sorted.
  const list = document.getElementById("rows"), rows = [...list.children];
  const names = rows.map(row => row.querySelector(".name").textContent.toLowerCase());
  const [search, status, order] = ["search", "status", "order"].map(id => document.getElementById(id));
  const count = document.getElementById("count");
  const show = () => {
    const wanted = search.value.toLowerCase();
    let shown = 0;
    rows.forEach((row, at) => {
      const fits = names[at].includes(wanted) && (!status.value || row.classList.contains(status.value));
      row.hidden = !fits;
      shown += fits;
    });
    count.value = shown === rows.length ? `${shown} shown` : `${shown} of ${rows.length} shown`;
  };
  const sort = () => {
    const [key, sign] = [order.value.slice(1), order.value[0] === "-" ? -1 : 1];
    const sorted = key ? [...rows].sort((a, b) => sign * (a.dataset[key] - b.dataset[key])) : rows;
    const all = document.createDocumentFragment();
    sorted.forEach(row => all.append(row));
    list.append(all);
  };
  search.addEventListener("input", show);
  status.addEventListener("change", show);
  order.addEventListener("change", sort);
  document.querySelector(".controls").hidden = rows.length < 2;
  show();
}

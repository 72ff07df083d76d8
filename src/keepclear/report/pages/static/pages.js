(()=>{var zp="http://www.w3.org/2000/svg";function b(i,t={},...e){return Uu(document.createElement(i),t,e)}function vn(...i){let t=Uu(document.createElementNS(zp,"svg"),{viewBox:"0 0 24 24","aria-hidden":"true"},[]);for(let e of i)t.append(Uu(document.createElementNS(zp,"path"),{d:e},[]));return t}function Qn(i,t={}){let e=i.split(/(?<=[/_.-])/);return b("span",t,e.flatMap((n,s)=>s===0?[n]:[document.createElement("wbr"),n]))}function Jt(i,...t){return i.replaceChildren(...t.flat().filter(e=>e!=null&&e!==!1)),i}function Uu(i,t,e){for(let[n,s]of Object.entries(t))typeof s=="function"?i.addEventListener(n,s):s===!0?i.setAttribute(n,""):s!==!1&&s!=null&&i.setAttribute(n,String(s));return i.append(...e.flat().filter(n=>n!=null&&n!==!1)),i}var ze={CLEAR:["M5 12.5l4.5 4.5L19 7.5"],COLLIDING:["M6.5 6.5l11 11","M17.5 6.5l-11 11"],UNDECIDED:["M9 9.2a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1.1-1.4 2.1","M12 17.4v.2"],play:["M8 5.5v13l10.5-6.5z"],pause:["M8.5 5.5v13","M15.5 5.5v13"],back:["M18 5.5v13l-9-6.5z","M6 5.5v13"],on:["M6 5.5v13l9-6.5z","M18 5.5v13"],home:["M4 11.5l8-7 8 7","M6.5 10v9h11v-9"],ghost:["M6 19v-9a6 6 0 0 1 12 0v9l-3-2-3 2-3-2z","M10 10.5v.2","M14 10.5v.2"],xray:["M4 8.5l8-4.5 8 4.5v7l-8 4.5-8-4.5z","M4 8.5l8 4.5 8-4.5","M12 13v7"],grid:["M4 4h16v16H4z","M4 12h16","M12 4v16"],eye:["M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6z","M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5"],hidden:["M4 4l16 16","M6.5 7.8C4 9.5 2.5 12 2.5 12s3.500 6 9.500 6c1.600 0 3-.4 4.200-1","M10 6.200c.6-.1 1.300-.2 2-.2 6 0 9.500 6 9.500 6s-.9 1.500-2.500 3"],path:["M4 18c4 0 4-12 8-12s4 12 8 12","M20 18v.2"],down:["M7 10l5 5 5-5"],right:["M10 7l5 5-5 5"],ruler:["M3 16L16 3l5 5L8 21z","M8 11l2 2","M11 8l3 3","M14 5l2 2"],link:["M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1","M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"],shape:["M12 3l8 4.500v9L12 21l-8-4.500v-9z","M4 7.500l16 9","M20 7.500l-16 9"],target:["M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9","M12 3v4","M12 17v4","M3 12h4","M17 12h4"]};function Ne(i,t=Math.round){if(i==null||!Number.isFinite(i))return"unknown";let e=Math.abs(i)<.0995,n=e?i*1e3:i;return`${Il(n,3,t)} ${e?"mm":"m"}`}function Vp(i,t){let e=Math.abs(t)<.0995?1e3:1,n=e===1e3?"mm":"m";if(i>0&&(t-i)*e<Gp(i*e,3))return`${Il(i*e,3,Math.round)} ${n}`;let s=Il(Math.max(i,0)*e,3,Math.floor),r=Il(Math.max(t,0)*e,3,Math.ceil);return s===r?`${s} ${n}`:`${s} \u2013 ${r} ${n}`}function ts(i,t){if(i==null)return"";let e=3-Math.floor(Math.log10(t>0?t:1));return`${i.toFixed(Math.min(Math.max(e,3),6))} s`}function Oe(i,t=5){return i==null?"":`${Number(Math.abs(i)<100?i.toPrecision(t):i.toFixed(3))} s`}function da(i){return i<.0995?`${Number((1e3*i).toPrecision(3))} ms`:`${Number(i.toPrecision(3))} s`}function Gn(i,t){return`${Ms(i)} ${t}${i===1?"":"s"}`}function Ms(i){return i<1e4?String(i):String(i).replace(/\B(?=(\d{3})+$)/g,"\u202F")}function Il(i,t,e){if(i===0)return"0";let n=Gp(i,t),s=Math.abs(i/n-Math.round(i/n))<1e-4?Math.round(i/n):e(i/n);return String(Number((s*n).toPrecision(t)))}function Gp(i,t){return Math.max(10**(Math.floor(Math.log10(Math.abs(i)))+1-t),.001)}var ev=[.05,.1,.25,.5,1,2,4];function Ll(i,t,e){let n=m=>{let{t0:_,t1:p}=e.span();t.set({playing:!1,time:Math.min(Math.max(m,_),p)})},s=m=>n(nv(e,t.values.time,m)),r=b("button",{type:"button",class:"play",click:()=>Hp(t,e.span())}),o=b("input",{type:"range",step:"any","aria-label":"Time",class:"slider",input:()=>n(o.valueAsNumber)}),a=b("div",{class:"marks","aria-hidden":"true"}),l=b("output",{class:"clock",for:"time"}),c=b("div",{class:"hidden","aria-live":"polite",role:"status"}),h=b("select",{"aria-label":"Speed",change:()=>t.set({speed:Number(h.value)})},ev.map(m=>b("option",{value:m,selected:m===t.values.speed},`${m}\xD7`))),f=i.appendChild(b("div",{class:"transport",role:"group","aria-label":"Time"},b("button",{type:"button",title:"Step back (\u2190)","aria-label":"Step back",click:()=>s(-1)},vn(...ze.back)),r,b("button",{type:"button",title:"Step forward (\u2192)","aria-label":"Step forward",click:()=>s(1)},vn(...ze.on)),b("div",{class:"track"},a,o),l,h,c)),u=()=>{let{t0:m,t1:_}=e.span();[o.min,o.max]=[m,_>m?_:m+1e-9],o.disabled=r.disabled=!(_>m),f.hidden=!(_>m);let p=g=>`${100*(g-m)/(_-m||1)}%`;Jt(a,e.marks().map(g=>{let v=b("span",{"data-event":g.event});return v.style.left=p(g.from),v.style.width=`max(3px, ${p(g.to-g.from+m)})`,v}))},d=({time:m,playing:_})=>{let{t0:p,t1:g}=e.span();o.value=m,o.style.setProperty("--done",`${100*(m-p)/(g-p||1)}%`),o.setAttribute("aria-valuetext",ts(m,g-p)),l.value=ts(m,g-p),_||(c.textContent=ts(m,g-p));let v=_?"Pause":"Play";r.getAttribute("aria-label")!==v&&(r.setAttribute("aria-label",v),r.title=`${v} (space)`,Jt(r,vn(...ze[_?"pause":"play"])))};u(),d(t.values),t.listen((m,_)=>{_.has("program")&&u(),(_.has("time")||_.has("playing")||_.has("program"))&&d(m),_.has("playing")&&m.playing&&iv(t,e)}),sv(t,e,n,s)}function nv(i,t,e){let[n,{t0:s,t1:r}]=[i.frames(),i.span()];if(!n||n.length<2)return t+e*(r-s)/100;let o=1e-9*Math.max(1,Math.abs(t));if(e>0){let l=n.findIndex(c=>c>t+o);return l<0?r:n[Math.min(l+e-1,n.length-1)]}let a=n.length-1;for(;a>0&&n[a]>=t-o;)a--;return n[Math.max(a+e+1,0)]}function Hp(i,{t0:t,t1:e}){let{playing:n,time:s}=i.values;e>t&&i.set(n?{playing:!1}:{playing:!0,time:s>=e?t:s})}function iv(i,t){let e=null,n=s=>{let{playing:r,time:o,speed:a}=i.values;if(!r)return;let{t1:l}=t.span(),c=o+(e===null?0:Math.min(s-e,100)*.001*a);if(e=s,c>=l)return i.set({time:l,playing:!1});i.set({time:c}),requestAnimationFrame(n)};requestAnimationFrame(n)}function sv(i,t,e,n){let s={" ":()=>Hp(i,t.span()),ArrowLeft:r=>n(r.shiftKey?-10:-1),ArrowRight:r=>n(r.shiftKey?10:1),Home:()=>e(t.span().t0),End:()=>e(t.span().t1)};document.addEventListener("keydown",r=>{let o=s[r.key],{target:a}=r,l=a.matches?.("input:not([type=range]), select, textarea"),c=r.key===" "&&a.matches?.("button, a, summary")||r.key.startsWith("Arrow")&&a.matches?.("[role=tab]");!o||l||c||r.ctrlKey||r.metaKey||r.altKey||(r.preventDefault(),o(r))},!0)}var Wp={f4:Float32Array,f8:Float64Array,i4:Int32Array,u1:Uint8Array,u2:Uint16Array,u4:Uint32Array};async function pa(){let i=JSON.parse(document.getElementById("keepclear-report").textContent),t=await av(document.getElementById("keepclear-data").textContent,i.packing);return{payload:i,array:({at:n,n:s,kind:r})=>{let o=Wp[r].BYTES_PER_ELEMENT;return new Wp[r](t.buffer.slice(t.byteOffset+n,t.byteOffset+n+s*o))}}}async function Xp(){let{payload:i,array:t}=await pa();for(let e of i.shapes)e.positions=t(e.positions),e.triangles=t(e.triangles);for(let e of i.programs){for(let n of e.report.pairs)n.curve&&(n.curve=rv(n.curve,t));e.scene&&ov(e.scene,t)}return i}function rv(i,t){return Object.fromEntries(Object.entries(i).map(([e,n])=>[e,t(n)]))}function ov(i,t){i.times=t(i.times);for(let e of i.bodies)e.poses=t(e.poses);for(let e of i.robots)[e.q,e.origins]=[t(e.q),t(e.origins)]}async function av(i,t){let e=Uint8Array.from(atob(i),s=>s.charCodeAt(0));if(t==="none")return e;let n=new Blob([e]).stream().pipeThrough(new DecompressionStream(t));return new Uint8Array(await new Response(n).arrayBuffer())}var es=class{#t;#e=[];constructor(t){this.#t={...t}}get values(){return this.#t}listen(t){this.#e.push(t)}set(t){let e=new Set(Object.keys(t).filter(n=>t[n]!==this.#t[n]));if(e.size!==0){Object.assign(this.#t,t);for(let n of this.#e)n(this.#t,e)}}};var ma=["#4a5ac4","#2f86c8","#2fa79b","#7dbf57","#f2c83a"].map($p),qp=$p("#ff3b24");function $p(i){return[1,3,5].map(t=>parseInt(i.slice(t,t+2),16)/255)}function Dl(i){let t=Math.min(Math.max(i,0),1)*(ma.length-1),e=Math.min(Math.floor(t),ma.length-2);return ma[e].map((n,s)=>n+(t-e)*(ma[e+1][s]-n))}function Nl(){return`linear-gradient(90deg, ${ma.map(t=>`rgb(${t.map(e=>Math.round(255*e)).join(" ")})`).join(", ")})`}var Fu={contact:"touch",begin:"begin to overlap",end:"no longer overlap",wall:"touches a wall",possible:"may touch"},Ol=class{constructor({events:t,ids:e,names:n}){Object.assign(this,t),this.n=t.time.length,this.names=n;let s=new Map(Array.from(e,(r,o)=>[r,o]));this.rowI=Int32Array.from(t.i,r=>s.get(r)??-1),this.rowJ=Int32Array.from(t.j,r=>s.get(r)??-1),this.spans=this.#t()}nameOf(t){return this.kinds[this.kind[t]]}who(t){return[this.rowI[t],this.rowJ[t]].filter(e=>e>=0).map(e=>this.names[e])}countUntil(t){let[e,n]=[0,this.n];for(;e<n;){let s=e+n>>1;this.time[s]<=t+1e-12?e=s+1:n=s}return e}#t(){let[t,e]=[new Map,[]];for(let n=0;n<this.n;n++){let s=this.nameOf(n),r=`${this.i[n]} ${this.j[n]}`;if(s==="begin"||s==="possible"){let o={from:this.time[n],to:1/0,a:this.rowI[n],b:this.rowJ[n]};t.set(r,o),e.push(o)}else s==="end"&&t.has(r)&&(t.get(r).to=this.time[n],t.delete(r))}return e}glow(t,e,n){n.fill(0);let s=this.countUntil(t);for(let o=s-1;o>=0&&this.time[o]>t-e;o--){if(this.j[o]<0)continue;let a=1-(t-this.time[o])/e;for(let l of[this.rowI[o],this.rowJ[o]])l>=0&&(n[l]=Math.max(n[l],a))}let r=0;for(let{from:o,to:a,a:l,b:c}of this.spans){if(o>t)break;if(!(a<t||c<0)){r++;for(let h of[l,c])h>=0&&(n[h]=1)}}return r}recent(t,e,n){let s=[];for(let r=this.countUntil(t)-1;r>=0&&s.length<n&&!(this.time[r]<=t-e);r--)this.j[r]>=0&&this.nameOf(r)!=="end"&&s.push({k:r,fresh:1-(t-this.time[r])/e});return s}};var lv=80,cv=200;function Yp(i,t,e,n){let s=b("span",{class:"count"}),r=b("input",{type:"search",placeholder:"Number",spellcheck:"false","aria-label":"Only events of the member with this number or name",input:()=>u()}),o=b("tbody"),a=b("p",{class:"empty"}),l=b("table",{class:"pairs events"},b("thead",{},b("tr",{},["At","Who","What"].map(_=>b("th",{scope:"col"},_)))),o);i.append(b("div",{class:"bar"},b("h2",{},"Events"),s,r),b("div",{class:"scroll"},l,a));let c=_=>b("tr",{tabindex:0,"data-event":_,"data-kind":e.nameOf(_),click:()=>h(_),keydown:p=>p.key==="Enter"&&h(_)},b("td",{class:"time"},`${e.time[_].toFixed(4)} s`),b("td",{class:"who"},e.who(_).join(" \u2013 ")),b("td",{class:"what"},hv(e,_))),h=_=>n.set({playing:!1,time:e.time[_],pair:[e.rowI[_],e.rowJ[_]]}),f="",u=()=>{let _=r.value.trim(),p=e.countUntil(n.values.time);if(f===`${p} ${_}`)return;f=`${p} ${_}`;let g=[];for(let v=p-1;v>=0&&g.length<lv;v--)(_===""||e.who(v).includes(_))&&g.push(v);Jt(o,g.map(c)),Jt(s,`${p.toLocaleString("en")} of ${e.all.toLocaleString("en")}`),Jt(a,g.length>0?"":uv(e,_,t))},d=null,m=()=>{d??=setTimeout(()=>(d=null,u()),cv)};u(),n.listen((_,p)=>{p.has("time")&&(_.playing?m:u)(),p.has("playing")&&!_.playing&&u()})}function hv(i,t){let e=i.nameOf(t);return i.j[t]>=0?Fu[e]:{begin:"reaches out of the box",end:"is inside again"}[e]??Fu.wall}function uv(i,t,{names:e}){return t===""?i.n>0?"There are no events yet.":"There are no events.":e.includes(t)?"There are no events of this member yet.":"No member has this number or name."}function Zp([i,t],e){let n=e>0?i.length/e:0,s=new Uint16Array(i.length);for(let r=0;r<n;r++){let[o,a]=[0,0];for(let l=0;l<e;l++){let c=i[r*e+l]|t[r*e+l]<<8,h=c>>1^-(c&1);a=l<2?h:a+h,o+=a,s[l*n+r]=o}}return s}var Ul=class{constructor(t){let{times:e,radii:n,dimensions:s}=t;Object.assign(this,{times:e,radii:n,d:s,n:n.length,present:t.present}),this.origin=t.origin,this.quantum=t.quantum,this.whole=Zp(t.positions,e.length),t.bounds&&(this.boundQuantum=t.bounds.quantum,this.boundNumbers=new Int16Array(Zp(t.bounds.numbers,e.length).buffer)),this.x=new Float32Array(3*this.n),this.speed=new Float32Array(this.n),this.isThere=new Uint8Array(this.n),this.boundX=new Float32Array(3*this.n),this.boundRadius=new Float32Array(this.n),this.topSpeed=this.#e()}get t0(){return this.times[0]}get t1(){return this.times[this.times.length-1]}frameAt(t){let[e,n]=[0,this.times.length-1];for(;e<n;){let s=e+n+1>>1;this.times[s]<=t+1e-9?e=s:n=s-1}return e}place(t,e=!1){let{n,d:s,whole:r,quantum:o,origin:a,times:l,present:c}=this,h=this.frameAt(t),f=Math.min(h+1,l.length-1),u=l[f]-l[h],d=u>0?Math.min(Math.max((t-l[h])/u,0),1):0;for(let m=0;m<n;m++){let _=0;for(let p=0;p<s;p++){let g=r[(h*n+m)*s+p],v=r[(f*n+m)*s+p]-g;this.x[3*m+p]=a[p]+o*(g+d*v),_+=v*v}this.speed[m]=u>0?o*Math.sqrt(_)/u:0,this.isThere[m]=!c||c[h*n+m]&&(d<1e-6||c[f*n+m])?1:0}return e&&this.boundNumbers&&this.#t(h,f,d),h}#t(t,e,n){let{n:s,d:r,boundNumbers:o,boundQuantum:a}=this;for(let l=0;l<s;l++){let[c,h]=[(t*s+l)*(r+1),(e*s+l)*(r+1)],f=o[h+r]>=o[c+r]?n:0;for(let u=0;u<r;u++){let d=o[c+u]+f*(o[h+u]-o[c+u]);this.boundX[3*l+u]=this.x[3*l+u]+a*d}this.boundRadius[l]=a*(o[c+r]+f*(o[h+r]-o[c+r]))}}#e(){let t=[];for(let e=0;e<12;e++){this.place(this.t0+(this.t1-this.t0)*(e+.5)/12);for(let n=0;n<this.n;n++)this.isThere[n]&&t.push(this.speed[n])}return t.sort((e,n)=>e-n),t.length>0?t[Math.floor(.9*(t.length-1))]:0}};var fv="uplot",dv="u-hz",pv="u-vt",mv="u-title",gv="u-wrap",_v="u-under",xv="u-over",vv="u-axis",br="u-off",yv="u-select",Sv="u-cursor-x",Mv="u-cursor-y",bv="u-cursor-pt",wv="u-legend",Tv="u-live",Ev="u-inline",Av="u-series",Cv="u-marker",Jp="u-label",Rv="u-value",_a="width",xa="height";var Kp="bottom",so="left",Bu="right",ef="#000",jp=ef+"0",ku="mousemove",Qp="mousedown",zu="mouseup",tm="mouseenter",em="mouseleave",nm="dblclick",Pv="resize",Iv="scroll",im="change",Vl="dppxchange",nf="--",uo=typeof window<"u",Xu=uo?document:null,oo=uo?window:null,Lv=uo?navigator:null,Ae,Fl;function qu(){let i=devicePixelRatio;Ae!=i&&(Ae=i,Fl&&Yu(im,Fl,qu),Fl=matchMedia(`(min-resolution: ${Ae-.001}dppx) and (max-resolution: ${Ae+.001}dppx)`),wr(im,Fl,qu),oo.dispatchEvent(new CustomEvent(Vl)))}function mi(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function $u(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Ze(i,t,e){i.style[t]=e+"px"}function Fi(i,t,e,n){let s=Xu.createElement(i);return t!=null&&mi(s,t),e?.insertBefore(s,n),s}function Ci(i,t){return Fi("div",i,t)}var sm=new WeakMap;function ns(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=sm.get(i);r!=o&&(i.style.transform=r,sm.set(i,r),t<0||e<0||t>n||e>s?mi(i,br):$u(i,br))}var rm=new WeakMap;function om(i,t,e){let n=t+e,s=rm.get(i);n!=s&&(rm.set(i,n),i.style.background=t,i.style.borderColor=e)}var am=new WeakMap;function lm(i,t,e,n){let s=t+""+e,r=am.get(i);s!=r&&(am.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var sf={passive:!0},Dv={...sf,capture:!0};function wr(i,t,e,n){t.addEventListener(i,e,n?Dv:sf)}function Yu(i,t,e,n){t.removeEventListener(i,e,sf)}uo&&qu();function Bi(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:gi((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function Um(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var Fm=i=>i!=null,Bm=i=>i!=null&&i>0,Wl=Um(Fm),Nv=Um(Bm);function Ov(i,t,e,n=0,s=!1){let r=s?Nv:Wl,o=s?Bm:Fm;[t,e]=r(i,t,e);let a=i[t],l=i[t];if(t>-1)if(n==1)a=i[t],l=i[e];else if(n==-1)a=i[e],l=i[t];else for(let c=t;c<=e;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??Ve,l??-Ve]}function Xl(i,t,e,n){let s=um(i),r=um(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?bs:km,a=s==1?gi:Ri,l=r==1?Ri:gi,c=a(o(Tn(i))),h=l(o(Tn(t))),f=ao(e,c),u=ao(e,h);return e==10&&(c<0&&(f=Ge(f,-c)),h<0&&(u=Ge(u,-h))),n||e==2?(i=f*s,t=u*r):(i=Hm(i,f),t=ql(t,u)),[i,t]}function rf(i,t,e,n){let s=Xl(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var of=.1,cm={mode:3,pad:of},ya={pad:0,soft:null,mode:0},Uv={min:ya,max:ya};function Gl(i,t,e,n){return $l(e)?hm(i,t,e):(ya.pad=e,ya.soft=n?0:null,ya.mode=n?3:0,hm(i,t,Uv))}function we(i,t){return i??t}function Fv(i,t,e){for(t=we(t,0),e=we(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function hm(i,t,e){let n=e.min,s=e.max,r=we(n.pad,0),o=we(s.pad,0),a=we(n.hard,-Ve),l=we(s.hard,Ve),c=we(n.soft,Ve),h=we(s.soft,-Ve),f=we(n.mode,0),u=we(s.mode,0),d=t-i,m=bs(d),_=ti(Tn(i),Tn(t)),p=bs(_),g=Tn(p-m);(d<1e-24||g>10)&&(d=0,(i==0||t==0)&&(d=1e-24,f==2&&c!=Ve&&(r=0),u==2&&h!=-Ve&&(o=0)));let v=d||_||1e3,A=bs(v),S=ao(10,gi(A)),R=v*(d==0?i==0?.1:1:r),C=Ge(Hm(i-R,S/10),24),x=i>=c&&(f==1||f==3&&C<=c||f==2&&C>=c)?c:Ve,w=ti(a,C<x&&i>=x?x:ki(x,C)),F=v*(d==0?t==0?.1:1:o),L=Ge(ql(t+F,S/10),24),D=t<=h&&(u==1||u==3&&L>=h||u==2&&L<=h)?h:-Ve,V=ki(l,L>D&&t<=D?D:ti(D,L));return w==V&&w==0&&(V=100),[w,V]}var Bv=new Intl.NumberFormat(uo?Lv.language:"en-US"),af=i=>Bv.format(i),_i=Math,zl=_i.PI,Tn=_i.abs,gi=_i.floor,wn=_i.round,Ri=_i.ceil,ki=_i.min,ti=_i.max,ao=_i.pow,um=_i.sign,bs=_i.log10,km=_i.log2,kv=(i,t=1)=>_i.sinh(i)*t,Vu=(i,t=1)=>_i.asinh(i/t),Ve=1/0;function fm(i){return(bs((i^i>>31)-(i>>31))|0)+1}function Zu(i,t,e){return ki(ti(i,t),e)}function zm(i){return typeof i=="function"}function ve(i){return zm(i)?i:()=>i}var zv=()=>{},Vm=i=>i,Gm=(i,t)=>t,Vv=i=>null,dm=i=>!0,pm=(i,t)=>i==t,Gv=/\.\d*?(?=9{6,}|0{6,})/gm,Tr=i=>{if(Xm(i)||Js.has(i))return i;let t=`${i}`,e=t.match(Gv);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${Tr(s)}e${r}`}return Ge(i,n)};function Sr(i,t){return Tr(Ge(Tr(i/t))*t)}function ql(i,t){return Tr(Ri(Tr(i/t))*t)}function Hm(i,t){return Tr(gi(Tr(i/t))*t)}function Ge(i,t=0){if(Xm(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return wn(n)/e}var Js=new Map;function Wm(i){return((""+i).split(".")[1]||"").length}function Ma(i,t,e,n){let s=[],r=n.map(Wm);for(let o=t;o<e;o++){let a=Tn(o),l=Ge(ao(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,f=(o>=0?0:a)+(o>=r[c]?0:r[c]),u=i==10?h:Ge(h,f);s.push(u),Js.set(u,f)}}return s}var Sa={},lf=[],lo=[null,null],Zs=Array.isArray,Xm=Number.isInteger,Hv=i=>i===void 0;function mm(i){return typeof i=="string"}function $l(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function Wv(i){return i!=null&&typeof i=="object"}var Xv=Object.getPrototypeOf(Uint8Array),qm="__proto__";function co(i,t=$l){let e;if(Zs(i)){let n=i.find(s=>s!=null);if(Zs(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=co(i[s],t)}else e=i.slice()}else if(i instanceof Xv)e=i.slice();else if(t(i)){e={};for(let n in i)n!=qm&&(e[n]=co(i[n],t))}else e=i;return e}function yn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=qm&&($l(i[s])?yn(i[s],co(n[s])):i[s]=co(n[s]))}return i}var qv=0,$v=1,Yv=2;function Zv(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function Jv(i,t){if(Qv(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return ty(o[0])||(o=jv(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],f=Array(s).fill(void 0),u=t?t[o][c]:$v,d=[];for(let m=0;m<h.length;m++){let _=h[m],p=r.get(l[m]);_===null?u!=qv&&(f[p]=_,u==Yv&&d.push(p)):f[p]=_}Zv(f,d,s),n.push(f)}}return n}var Kv=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function jv(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function Qv(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function ty(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=ti(1,gi((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var $m=["January","February","March","April","May","June","July","August","September","October","November","December"],Ym=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Zm(i){return i.slice(0,3)}var ey=Ym.map(Zm),ny=$m.map(Zm),iy={MMMM:$m,MMM:ny,WWWW:Ym,WWW:ey};function ga(i){return(i<10?"0":"")+i}function sy(i){return(i<10?"00":i<100?"0":"")+i}var ry={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>ga(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>ga(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>ga(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>ga(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>ga(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>sy(i.getMilliseconds())};function cf(i,t){t=t||iy;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?ry[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var oy=new Intl.DateTimeFormat().resolvedOptions().timeZone;function ay(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==oy?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var Jm=i=>i%1==0,Hl=[1,2,2.5,5],ly=Ma(10,-32,0,Hl),Km=Ma(10,0,32,Hl),cy=Km.filter(Jm),Mr=ly.concat(Km),hf=`
`,jm="{YYYY}",gm=hf+jm,Qm="{M}/{D}",va=hf+Qm,Bl=va+"/{YY}",tg="{aa}",hy="{h}:{mm}",ro=hy+tg,_m=hf+ro,xm=":{ss}",Re=null;function eg(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?Ma(10,0,3,Hl).filter(Jm):Ma(10,-3,0,Hl)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,jm,Re,Re,Re,Re,Re,Re,1],[s*28,"{MMM}",gm,Re,Re,Re,Re,Re,1],[s,Qm,gm,Re,Re,Re,Re,Re,1],[n,"{h}"+tg,Bl,Re,va,Re,Re,Re,1],[e,ro,Bl,Re,va,Re,Re,Re,1],[t,xm,Bl+" "+ro,Re,va+" "+ro,Re,_m,Re,1],[i,xm+".{fff}",Bl+" "+ro,Re,va+" "+ro,Re,_m,Re,1]];function h(f){return(u,d,m,_,p,g)=>{let v=[],A=p>=o,S=p>=r&&p<o,R=f(m),C=Ge(R*i,3),x=Gu(R.getFullYear(),A?0:R.getMonth(),S||A?1:R.getDate()),w=Ge(x*i,3);if(S||A){let F=S?p/r:0,L=A?p/o:0,D=C==w?C:Ge(Gu(x.getFullYear()+L,x.getMonth()+F,1)*i,3),V=new Date(wn(D/i)),W=V.getFullYear(),O=V.getMonth();for(let X=0;D<=_;X++){let Y=Gu(W+L*X,O+F*X,1),H=Y-f(Ge(Y*i,3));D=Ge((+Y+H)*i,3),D<=_&&v.push(D)}}else{let F=p>=s?s:p,L=gi(m)-gi(C),D=w+L+ql(C-w,F);v.push(D);let V=f(D),W=V.getHours()+V.getMinutes()/e+V.getSeconds()/n,O=p/n,X=u.axes[d]._space,Y=g/X;for(;D=Ge(D+p,i==1?0:3),!(D>_);)if(O>1){let H=gi(Ge(W+O,6))%24,Q=f(D).getHours()-H;Q>1&&(Q=-1),D-=Q*n,W=(W+O)%24;let st=v[v.length-1];Ge((D-st)/p,3)*Y>=.7&&v.push(D)}else v.push(D)}return v}}return[l,c,h]}var[uy,fy,dy]=eg(1),[py,my,gy]=eg(.001);Ma(2,-53,53,[1]);function vm(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function ym(i,t){return(e,n,s,r,o)=>{let a=t.find(m=>o>=m[0])||t[t.length-1],l,c,h,f,u,d;return n.map(m=>{let _=i(m),p=_.getFullYear(),g=_.getMonth(),v=_.getDate(),A=_.getHours(),S=_.getMinutes(),R=_.getSeconds(),C=p!=l&&a[2]||g!=c&&a[3]||v!=h&&a[4]||A!=f&&a[5]||S!=u&&a[6]||R!=d&&a[7]||a[1];return l=p,c=g,h=v,f=A,u=S,d=R,C(_)})}}function _y(i,t){let e=cf(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function Gu(i,t,e){return new Date(i,t,e)}function Sm(i,t){return t(i)}var xy="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Mm(i,t){return(e,n,s,r)=>r==null?nf:t(i(n))}function vy(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function yy(i,t){return i.series[t].fill(i,t)}var Sy={show:!0,live:!0,isolate:!1,mount:zv,markers:{show:!0,width:2,stroke:vy,fill:yy,dash:"solid"},idx:null,idxs:null,values:[]};function My(i,t){let e=i.cursor.points,n=Ci(),s=e.size(i,t);Ze(n,_a,s),Ze(n,xa,s);let r=s/-2;Ze(n,"marginLeft",r),Ze(n,"marginTop",r);let o=e.width(i,t,s);return o&&Ze(n,"borderWidth",o),n}function by(i,t){let e=i.series[t].points;return e._fill||e._stroke}function wy(i,t){let e=i.series[t].points;return e._stroke||e._fill}function Ty(i,t){return i.series[t].points.size}var Hu=[0,0];function Ey(i,t,e){return Hu[0]=t,Hu[1]=e,Hu}function kl(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function Wu(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var Ay={show:!0,x:!0,y:!0,lock:!1,move:Ey,points:{one:!1,show:My,size:Ty,width:0,stroke:wy,fill:by},bind:{mousedown:kl,mouseup:kl,click:kl,dblclick:kl,mousemove:Wu,mouseleave:Wu,mouseenter:Wu},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ng={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},uf=yn({},ng,{filter:Gm}),ig=yn({},uf,{size:10}),sg=yn({},ng,{show:!1}),ff='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',rg="bold "+ff,og=1.5,bm={show:!0,scale:"x",stroke:ef,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:rg,side:2,grid:uf,ticks:ig,border:sg,font:ff,lineGap:og,rotate:0},Cy="Value",Ry="Time",wm={show:!0,scale:"x",auto:!1,sorted:1,min:Ve,max:-Ve,idxs:[]};function Py(i,t,e,n,s){return t.map(r=>r==null?"":af(r))}function Iy(i,t,e,n,s,r,o){let a=[],l=Js.get(s)||0;e=o?e:Ge(ql(e,s),l);for(let c=e;c<=n;c=Ge(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function Ju(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?bs:km,h=gi(c(e));s=ao(l,h),l==10&&(s=Mr[Bi(s,Mr)]);let f=e,u=s*l;l==10&&(u=Mr[Bi(u,Mr)]);do a.push(f),f=f+s,l==10&&!Js.has(f)&&(f=Ge(f,Js.get(s))),f>=u&&(s=f,u=s*l,l==10&&(u=Mr[Bi(u,Mr)]));while(f<=n);return a}function Ly(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?Ju(i,t,ti(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?Ju(i,t,ti(l,-n),-e,s):[l]).reverse().map(u=>-u).concat(h,c)}var ag=/./,Dy=/[12357]/,Ny=/[125]/,Tm=/1/,Ku=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function Oy(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),f=l(9,o)-h>=c?ag:l(7,o)-h>=c?Dy:l(5,o)-h>=c?Ny:Tm;if(f==Tm){let u=Tn(l(1,o)-h);if(u<c)return Ku(t.slice().reverse(),a.distr,f,Ri(c/u)).reverse()}return Ku(t,a.distr,f,1)}function Uy(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=Tn(l(1,o)-l(2,o));return c<a?Ku(t.slice().reverse(),3,ag,Ri(a/c)).reverse():t}function Fy(i,t,e,n){return n==null?nf:t==null?"":af(t)}var Em={show:!0,scale:"y",stroke:ef,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:rg,side:3,grid:uf,ticks:ig,border:sg,font:ff,lineGap:og,rotate:0};function By(i,t){let e=3+(i||1)*2;return Ge(e*t,3)}function ky(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=Tn(o-r),l=i.series[t],c=a/(l.points.space*Ae);return n[1]-n[0]<=c}var Am={scale:null,auto:!0,sorted:0,min:Ve,max:-Ve},lg=(i,t,e,n,s)=>s,Cm={show:!0,auto:!0,sorted:0,gaps:lg,alpha:1,facets:[yn({},Am,{scale:"x"}),yn({},Am,{scale:"y"})]},Rm={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:lg,alpha:1,points:{show:ky,filter:null},values:null,min:Ve,max:-Ve,idxs:[],path:null,clip:null};function zy(i,t,e,n,s){return e/10}var cg={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Vy=yn({},cg,{time:!1,ori:1}),Pm={};function hg(i,t){let e=Pm[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Pm[i]=e)),e}var ho=1,ju=2;function Er(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],f=n==2?o[s.facets[1].scale]:o[s.scale],u=a.left,d=a.top,m=a.width,_=a.height,p=i.valToPosH,g=i.valToPosV;return h.ori==0?e(s,l,c,h,f,p,g,u,d,m,_,Zl,fo,Kl,fg,pg):e(s,l,c,h,f,g,p,d,u,_,m,Jl,po,mf,dg,mg)}function df(i,t){let e=0,n=0,s=we(i.bands,lf);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function Gy(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function ws(i,t,e,n,s,r){return Er(i,t,(o,a,l,c,h,f,u,d,m,_,p)=>{let g=o.pxRound,v=c.dir*(c.ori==0?1:-1),A=c.ori==0?fo:po,S,R;v==1?(S=e,R=n):(S=n,R=e);let C=g(f(a[S],c,_,d)),x=g(u(l[S],h,p,m)),w=g(f(a[R],c,_,d)),F=g(u(r==1?h.max:h.min,h,p,m)),L=new Path2D(s);return A(L,w,F),A(L,C,F),A(L,C,x),L})}function Yl(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?Kl:mf,l=e;for(let f=0;f<i.length;f++){let u=i[f];if(u[1]>u[0]){let d=u[0]-l;d>0&&a(o,l,n,d,n+r),l=u[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function Hy(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function pf(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let f=c,u=c;if(s==1)for(;++c<=n&&t[c]===null;)u=c;else for(;--c>=e&&t[c]===null;)u=c;let d=r(i[f]),m=u==f?d:r(i[u]),_=f-s;d=o<=0&&_>=0&&_<l?r(i[_]):d;let g=u+s;m=o>=0&&g>=0&&g<l?r(i[g]):m,m>=d&&a.push([d,m])}return a}function Im(i){return i==0?Vm:i==1?wn:t=>Sr(t,i)}function ug(i){let t=i==0?Zl:Jl,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=ki(c,a/2,l/2),h=ki(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var Zl=(i,t,e)=>{i.moveTo(t,e)},Jl=(i,t,e)=>{i.moveTo(e,t)},fo=(i,t,e)=>{i.lineTo(t,e)},po=(i,t,e)=>{i.lineTo(e,t)},Kl=ug(0),mf=ug(1),fg=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},dg=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},pg=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},mg=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function gg(i){return(t,e,n,s,r)=>Er(t,e,(o,a,l,c,h,f,u,d,m,_,p)=>{let{pxRound:g,points:v}=o,A,S;c.ori==0?(A=Zl,S=fg):(A=Jl,S=dg);let R=Ge(v.width*Ae,3),C=(v.size-v.width)/2*Ae,x=Ge(C*2,3),w=new Path2D,F=new Path2D,{left:L,top:D,width:V,height:W}=t.bbox;Kl(F,L-x,D-x,V+x*2,W+x*2);let O=X=>{if(l[X]!=null){let Y=g(f(a[X],c,_,d)),H=g(u(l[X],h,p,m));A(w,Y+C,H),S(w,Y,H,C,0,zl*2)}};if(r)r.forEach(O);else for(let X=n;X<=s;X++)O(X);return{stroke:R>0?w:null,fill:w,clip:F,flags:ho|ju}})}function _g(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var Wy=_g(fo),Xy=_g(po);function xg(i){let t=we(i?.alignGaps,0);return(e,n,s,r)=>Er(e,n,(o,a,l,c,h,f,u,d,m,_,p)=>{[s,r]=Wl(l,s,r);let g=o.pxRound,v=W=>g(f(W,c,_,d)),A=W=>g(u(W,h,p,m)),S,R;c.ori==0?(S=fo,R=Wy):(S=po,R=Xy);let C=c.dir*(c.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ho},w=x.stroke,F=!1;if(r-s>=_*4){let W=ut=>e.posToVal(ut,c.key,!0),O=null,X=null,Y,H,ct,K=v(a[C==1?s:r]),Q=v(a[s]),st=v(a[r]),ft=W(C==1?Q+1:st-1);for(let ut=C==1?s:r;ut>=s&&ut<=r;ut+=C){let tt=a[ut],xt=(C==1?tt<ft:tt>ft)?K:v(tt),At=l[ut];xt==K?At!=null?(H=At,O==null?(S(w,xt,A(H)),Y=O=X=H):H<O?O=H:H>X&&(X=H)):At===null&&(F=!0):(O!=null&&R(w,K,A(O),A(X),A(Y),A(H)),At!=null?(H=At,S(w,xt,A(H)),O=X=Y=H):(O=X=null,At===null&&(F=!0)),K=xt,ft=W(K+C))}O!=null&&O!=X&&ct!=K&&R(w,K,A(O),A(X),A(Y),A(H))}else for(let W=C==1?s:r;W>=s&&W<=r;W+=C){let O=l[W];O===null?F=!0:O!=null&&S(w,v(a[W]),A(O))}let[D,V]=df(e,n);if(o.fill!=null||D!=0){let W=x.fill=new Path2D(w),O=o.fillTo(e,n,o.min,o.max,D),X=A(O),Y=v(a[s]),H=v(a[r]);C==-1&&([H,Y]=[Y,H]),S(W,H,X),S(W,Y,X)}if(!o.spanGaps){let W=[];F&&W.push(...pf(a,l,s,r,C,v,t)),x.gaps=W=o.gaps(e,n,s,r,W),x.clip=Yl(W,c.ori,d,m,_,p)}return V!=0&&(x.band=V==2?[ws(e,n,s,r,w,-1),ws(e,n,s,r,w,1)]:ws(e,n,s,r,w,V)),x})}function qy(i){let t=we(i.align,1),e=we(i.ascDesc,!1),n=we(i.alignGaps,0),s=we(i.extend,!1);return(r,o,a,l)=>Er(r,o,(c,h,f,u,d,m,_,p,g,v,A)=>{[a,l]=Wl(f,a,l);let S=c.pxRound,{left:R,width:C}=r.bbox,x=Q=>S(m(Q,u,v,p)),w=Q=>S(_(Q,d,A,g)),F=u.ori==0?fo:po,L={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:ho},D=L.stroke,V=u.dir*(u.ori==0?1:-1),W=w(f[V==1?a:l]),O=x(h[V==1?a:l]),X=O,Y=O;s&&t==-1&&(Y=R,F(D,Y,W)),F(D,O,W);for(let Q=V==1?a:l;Q>=a&&Q<=l;Q+=V){let st=f[Q];if(st==null)continue;let ft=x(h[Q]),ut=w(st);t==1?F(D,ft,W):F(D,X,ut),F(D,ft,ut),W=ut,X=ft}let H=X;s&&t==1&&(H=R+C,F(D,H,W));let[ct,K]=df(r,o);if(c.fill!=null||ct!=0){let Q=L.fill=new Path2D(D),st=c.fillTo(r,o,c.min,c.max,ct),ft=w(st);F(Q,H,ft),F(Q,Y,ft)}if(!c.spanGaps){let Q=[];Q.push(...pf(h,f,a,l,V,x,n));let st=c.width*Ae/2,ft=e||t==1?st:-st,ut=e||t==-1?-st:st;Q.forEach(tt=>{tt[0]+=ft,tt[1]+=ut}),L.gaps=Q=c.gaps(r,o,a,l,Q),L.clip=Yl(Q,u.ori,p,g,v,A)}return K!=0&&(L.band=K==2?[ws(r,o,a,l,D,-1),ws(r,o,a,l,D,1)]:ws(r,o,a,l,D,K)),L})}function Lm(i,t,e,n,s,r,o=Ve){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=Tn(i[l]-i[a]);h<c&&(c=h,o=Tn(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function $y(i){i=i||Sa;let t=we(i.size,[.6,Ve,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=ve(s),o=1-t[0],a=we(t[1],Ve),l=we(t[2],1),c=we(i.disp,Sa),h=we(i.each,d=>{}),{fill:f,stroke:u}=c;return(d,m,_,p)=>Er(d,m,(g,v,A,S,R,C,x,w,F,L,D)=>{let V=g.pxRound,W=e,O=n*Ae,X=a*Ae,Y=l*Ae,H,ct;S.ori==0?[H,ct]=r(d,m):[ct,H]=r(d,m);let K=S.dir*(S.ori==0?1:-1),Q=S.ori==0?Kl:mf,st=S.ori==0?h:(Rt,Zt,oe,bt,ke,Gt,$t)=>{h(Rt,Zt,oe,ke,bt,$t,Gt)},ft=we(d.bands,lf).find(Rt=>Rt.series[0]==m),ut=ft!=null?ft.dir:0,tt=g.fillTo(d,m,g.min,g.max,ut),mt=V(x(tt,R,D,F)),xt,At,Mt,Xt=L,re=V(g.width*Ae),Ht=!1,ue=null,le=null,ie=null,Ke=null;f!=null&&(re==0||u!=null)&&(Ht=!0,ue=f.values(d,m,_,p),le=new Map,new Set(ue).forEach(Rt=>{Rt!=null&&le.set(Rt,new Path2D)}),re>0&&(ie=u.values(d,m,_,p),Ke=new Map,new Set(ie).forEach(Rt=>{Rt!=null&&Ke.set(Rt,new Path2D)})));let{x0:We,size:dn}=c;if(We!=null&&dn!=null){W=1,v=We.values(d,m,_,p),We.unit==2&&(v=v.map(oe=>d.posToVal(w+oe*L,S.key,!0)));let Rt=dn.values(d,m,_,p);dn.unit==2?At=Rt[0]*L:At=C(Rt[0],S,L,w)-C(0,S,L,w),Xt=Lm(v,A,C,S,L,w,Xt),Mt=Xt-At+O}else Xt=Lm(v,A,C,S,L,w,Xt),Mt=Xt*o+O,At=Xt-Mt;Mt<1&&(Mt=0),re>=At/2&&(re=0),Mt<5&&(V=Vm);let Ue=Mt>0,In=Xt-Mt-(Ue?re:0);At=V(Zu(In,Y,X)),xt=(W==0?At/2:W==K?0:At)-W*K*((W==0?O/2:0)+(Ue?re/2:0));let Se={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Mn=Ht?null:new Path2D,nn=null;if(ft!=null)nn=d.data[ft.series[1]];else{let{y0:Rt,y1:Zt}=c;Rt!=null&&Zt!=null&&(A=Zt.values(d,m,_,p),nn=Rt.values(d,m,_,p))}let pn=H*At,k=ct*At;for(let Rt=K==1?_:p;Rt>=_&&Rt<=p;Rt+=K){let Zt=A[Rt];if(Zt==null)continue;if(nn!=null){let q=nn[Rt]??0;if(Zt-q==0)continue;mt=x(q,R,D,F)}let oe=S.distr!=2||c!=null?v[Rt]:Rt,bt=C(oe,S,L,w),ke=x(we(Zt,tt),R,D,F),Gt=V(bt-xt),$t=V(ti(ke,mt)),P=V(ki(ke,mt)),M=$t-P;if(Zt!=null){let q=Zt<0?k:pn,ht=Zt<0?pn:k;Ht?(re>0&&ie[Rt]!=null&&Q(Ke.get(ie[Rt]),Gt,P+gi(re/2),At,ti(0,M-re),q,ht),ue[Rt]!=null&&Q(le.get(ue[Rt]),Gt,P+gi(re/2),At,ti(0,M-re),q,ht)):Q(Mn,Gt,P+gi(re/2),At,ti(0,M-re),q,ht),st(d,m,Rt,Gt-re/2,P,At+re,M)}}return re>0?Se.stroke=Ht?Ke:Mn:Ht||(Se._fill=g.width==0?g._fill:g._stroke??g._fill,Se.width=0),Se.fill=Ht?le:Mn,Se})}function Yy(i,t){let e=we(t?.alignGaps,0);return(n,s,r,o)=>Er(n,s,(a,l,c,h,f,u,d,m,_,p,g)=>{[r,o]=Wl(c,r,o);let v=a.pxRound,A=H=>v(u(H,h,p,m)),S=H=>v(d(H,f,g,_)),R,C,x;h.ori==0?(R=Zl,x=fo,C=pg):(R=Jl,x=po,C=mg);let w=h.dir*(h.ori==0?1:-1),F=A(l[w==1?r:o]),L=F,D=[],V=[];for(let H=w==1?r:o;H>=r&&H<=o;H+=w)if(c[H]!=null){let K=l[H],Q=A(K);D.push(L=Q),V.push(S(c[H]))}let W={stroke:i(D,V,R,x,C,v),fill:null,clip:null,band:null,gaps:null,flags:ho},O=W.stroke,[X,Y]=df(n,s);if(a.fill!=null||X!=0){let H=W.fill=new Path2D(O),ct=a.fillTo(n,s,a.min,a.max,X),K=S(ct);x(H,L,K),x(H,F,K)}if(!a.spanGaps){let H=[];H.push(...pf(l,c,r,o,w,A,e)),W.gaps=H=a.gaps(n,s,r,o,H),W.clip=Yl(H,h.ori,m,_,p,g)}return Y!=0&&(W.band=Y==2?[ws(n,s,r,o,O,-1),ws(n,s,r,o,O,1)]:ws(n,s,r,o,O,Y)),W})}function Zy(i){return Yy(Jy,i)}function Jy(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),f=Array(o-1);for(let u=0;u<o-1;u++)h[u]=t[u+1]-t[u],f[u]=i[u+1]-i[u],c[u]=h[u]/f[u];l[0]=c[0];for(let u=1;u<o-1;u++)c[u]===0||c[u-1]===0||c[u-1]>0!=c[u]>0?l[u]=0:(l[u]=3*(f[u-1]+f[u])/((2*f[u]+f[u-1])/c[u-1]+(f[u]+2*f[u-1])/c[u]),isFinite(l[u])||(l[u]=0));l[o-1]=c[o-2];for(let u=0;u<o-1;u++)s(a,i[u]+f[u]/3,t[u]+l[u]*f[u]/3,i[u+1]-f[u]/3,t[u+1]-l[u+1]*f[u]/3,i[u+1],t[u+1])}return a}var Qu=new Set;function Dm(){for(let i of Qu)i.syncRect(!0)}uo&&(wr(Pv,oo,Dm),wr(Iv,oo,Dm,!0),wr(Vl,oo,()=>{hn.pxRatio=Ae}));var Ky=xg(),jy=gg();function Nm(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>tf(r,o,t,e))}function Qy(i,t){return i.map((e,n)=>n==0?{}:yn({},t,e))}function tf(i,t,e,n){return yn({},t==0?e:n,i)}function vg(i,t,e){return t==null?lo:[t,e]}var tS=vg;function eS(i,t,e){return t==null?lo:Gl(t,e,of,!0)}function yg(i,t,e,n){return t==null?lo:Xl(t,e,i.scales[n].log,!1)}var nS=yg;function Sg(i,t,e,n){return t==null?lo:rf(t,e,i.scales[n].log,!1)}var iS=Sg;function sS(i,t,e,n,s){let r=ti(fm(i),fm(t)),o=t-i,a=Bi(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?Js.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function Om(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=wn((e=+s)*Ae))+"px"),[i,t,e]}function rS(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Ge(t[2]*Ae,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function hn(i,t,e){let n={mode:we(i.mode,1)},s=n.mode;function r(y,T,I,N){let G=T.valToPct(y);return N+I*(T.dir==-1?1-G:G)}function o(y,T,I,N){let G=T.valToPct(y);return N+I*(T.dir==-1?G:1-G)}function a(y,T,I,N){return T.ori==0?r(y,T,I,N):o(y,T,I,N)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=Ci(fv);if(i.id!=null&&(c.id=i.id),mi(c,i.class),i.title){let y=Ci(mv,c);y.textContent=i.title}let h=Fi("canvas"),f=n.ctx=h.getContext("2d"),u=Ci(gv,c);wr("click",u,y=>{y.target===m&&(qe!=Qr||je!=to)&&Bn.click(n,y)},!0);let d=n.under=Ci(_v,u);u.appendChild(h);let m=n.over=Ci(xv,u);i=co(i);let _=+we(i.pxAlign,1),p=Im(_);(i.plugins||[]).forEach(y=>{y.opts&&(i=y.opts(n,i)||i)});let g=i.ms||.001,v=n.series=s==1?Nm(i.series||[],wm,Rm,!1):Qy(i.series||[null],Cm),A=n.axes=Nm(i.axes||[],bm,Em,!0),S=n.scales={},R=n.bands=i.bands||[];R.forEach(y=>{y.fill=ve(y.fill||null),y.dir=we(y.dir,-1)});let C=s==2?v[1].facets[0].scale:v[0].scale,x={axes:ys,series:de},w=(i.drawOrder||["axes","series"]).map(y=>x[y]);function F(y){let T=y.distr==3?I=>bs(I>0?I:y.clamp(n,I,y.min,y.max,y.key)):y.distr==4?I=>Vu(I,y.asinh):y.distr==100?I=>y.fwd(I):I=>I;return I=>{let N=T(I),{_min:G,_max:J}=y,at=J-G;return(N-G)/at}}function L(y){let T=S[y];if(T==null){let I=(i.scales||Sa)[y]||Sa;if(I.from!=null){L(I.from);let N=yn({},S[I.from],I,{key:y});N.valToPct=F(N),S[y]=N}else{T=S[y]=yn({},y==C?cg:Vy,I),T.key=y;let N=T.time,G=T.range,J=Zs(G);if((y!=C||s==2&&!N)&&(J&&(G[0]==null||G[1]==null)&&(G={min:G[0]==null?cm:{mode:1,hard:G[0],soft:G[0]},max:G[1]==null?cm:{mode:1,hard:G[1],soft:G[1]}},J=!1),!J&&$l(G))){let at=G;G=(dt,yt,Dt)=>yt==null?lo:Gl(yt,Dt,at)}T.range=ve(G||(N?tS:y==C?T.distr==3?nS:T.distr==4?iS:vg:T.distr==3?yg:T.distr==4?Sg:eS)),T.auto=ve(J?!1:T.auto),T.clamp=ve(T.clamp||zy),T._min=T._max=null,T.valToPct=F(T)}}}L("x"),L("y"),s==1&&v.forEach(y=>{L(y.scale)}),A.forEach(y=>{L(y.scale)});for(let y in i.scales)L(y);let D=S[C],V=D.distr,W,O;D.ori==0?(mi(c,dv),W=r,O=o):(mi(c,pv),W=o,O=r);let X={};for(let y in S){let T=S[y];(T.min!=null||T.max!=null)&&(X[y]={min:T.min,max:T.max},T.min=T.max=null)}let Y=i.tzDate||(y=>new Date(wn(y/g))),H=i.fmtDate||cf,ct=g==1?dy(Y):gy(Y),K=ym(Y,vm(g==1?fy:my,H)),Q=Mm(Y,Sm(xy,H)),st=[],ft=n.legend=yn({},Sy,i.legend),ut=n.cursor=yn({},Ay,{drag:{y:s==2}},i.cursor),tt=ft.show,mt=ut.show,xt=ft.markers;ft.idxs=st,xt.width=ve(xt.width),xt.dash=ve(xt.dash),xt.stroke=ve(xt.stroke),xt.fill=ve(xt.fill);let At,Mt,Xt,re=[],Ht=[],ue,le=!1,ie={};if(ft.live){let y=v[1]?v[1].values:null;le=y!=null,ue=le?y(n,1,0):{_:0};for(let T in ue)ie[T]=nf}if(tt)if(At=Fi("table",wv,c),Xt=Fi("tbody",null,At),ft.mount(n,At),le){Mt=Fi("thead",null,At,Xt);let y=Fi("tr",null,Mt);Fi("th",null,y);for(var Ke in ue)Fi("th",Jp,y).textContent=Ke}else mi(At,Ev),ft.live&&mi(At,Tv);let We={show:!0},dn={show:!1};function Ue(y,T){if(T==0&&(le||!ft.live||s==2))return lo;let I=[],N=Fi("tr",Av,Xt,Xt.childNodes[T]);mi(N,y.class),y.show||mi(N,br);let G=Fi("th",null,N);if(xt.show){let dt=Ci(Cv,G);if(T>0){let yt=xt.width(n,T);yt&&(dt.style.border=yt+"px "+xt.dash(n,T)+" "+xt.stroke(n,T)),dt.style.background=xt.fill(n,T)}}let J=Ci(Jp,G);y.label instanceof HTMLElement?J.appendChild(y.label):J.textContent=y.label,T>0&&(xt.show||(J.style.color=y.width>0?xt.stroke(n,T):xt.fill(n,T)),Se("click",G,dt=>{if(ut._lock)return;Qt(dt);let yt=v.indexOf(y);if((dt.ctrlKey||dt.metaKey)!=ft.isolate){let Dt=v.some((Nt,Ut)=>Ut>0&&Ut!=yt&&Nt.show);v.forEach((Nt,Ut)=>{Ut>0&&Ji(Ut,Dt?Ut==yt?We:dn:We,!0,xn.setSeries)})}else Ji(yt,{show:!y.show},!0,xn.setSeries)},!1),te&&Se(tm,G,dt=>{ut._lock||(Qt(dt),Ji(v.indexOf(y),no,!0,xn.setSeries))},!1));for(var at in ue){let dt=Fi("td",Rv,N);dt.textContent="--",I.push(dt)}return[N,I]}let In=new Map;function Se(y,T,I,N=!0){let G=In.get(T)||{},J=ut.bind[y](n,T,I,N);J&&(wr(y,T,G[y]=J),In.set(T,G))}function Mn(y,T,I){let N=In.get(T)||{};for(let G in N)(y==null||G==y)&&(Yu(G,T,N[G]),delete N[G]);y==null&&In.delete(T)}let nn=0,pn=0,k=0,Rt=0,Zt=0,oe=0,bt=Zt,ke=oe,Gt=k,$t=Rt,P=0,M=0,q=0,ht=0;n.bbox={};let ot=!1,_t=!1,vt=!1,et=!1,it=!1,pt=!1;function B(y,T,I){(I||y!=n.width||T!=n.height)&&rt(y,T),ce(!1),vt=!0,_t=!0,Vn()}function rt(y,T){n.width=nn=k=y,n.height=pn=Rt=T,Zt=oe=0,St(),Wt();let I=n.bbox;P=I.left=Sr(Zt*Ae,.5),M=I.top=Sr(oe*Ae,.5),q=I.width=Sr(k*Ae,.5),ht=I.height=Sr(Rt*Ae,.5)}let nt=3;function wt(){let y=!1,T=0;for(;!y;){T++;let I=Jr(T),N=Zi(T);y=T==nt||I&&N,y||(rt(n.width,n.height),_t=!0)}}function gt({width:y,height:T}){B(y,T)}n.setSize=gt;function St(){let y=!1,T=!1,I=!1,N=!1;A.forEach((G,J)=>{if(G.show&&G._show){let{side:at,_size:dt}=G,yt=at%2,Dt=G.label!=null?G.labelSize:0,Nt=dt+Dt;Nt>0&&(yt?(k-=Nt,at==3?(Zt+=Nt,N=!0):I=!0):(Rt-=Nt,at==0?(oe+=Nt,y=!0):T=!0))}}),$i[0]=y,$i[1]=I,$i[2]=T,$i[3]=N,k-=Ni[1]+Ni[3],Zt+=Ni[3],Rt-=Ni[2]+Ni[0],oe+=Ni[0]}function Wt(){let y=Zt+k,T=oe+Rt,I=Zt,N=oe;function G(J,at){switch(J){case 1:return y+=at,y-at;case 2:return T+=at,T-at;case 3:return I-=at,I+at;case 0:return N-=at,N+at}}A.forEach((J,at)=>{if(J.show&&J._show){let dt=J.side;J._pos=G(dt,J._size),J.label!=null&&(J._lpos=G(dt,J.labelSize))}})}if(ut.dataIdx==null){let y=ut.hover,T=y.skip=new Set(y.skip??[]);T.add(void 0);let I=y.prox=ve(y.prox),N=y.bias??=0;ut.dataIdx=(G,J,at,dt)=>{if(J==0)return at;let yt=at,Dt=I(G,J,at,dt)??Ve,Nt=Dt>=0&&Dt<Ve,Ut=D.ori==0?k:Rt,se=ut.left,Ee=t[0],be=t[J];if(T.has(be[at])){yt=null;let ge=null,Kt=null,qt;if(N==0||N==-1)for(qt=at;ge==null&&qt-- >0;)T.has(be[qt])||(ge=qt);if(N==0||N==1)for(qt=at;Kt==null&&qt++<be.length;)T.has(be[qt])||(Kt=qt);if(ge!=null||Kt!=null)if(Nt){let Ye=ge==null?-1/0:W(Ee[ge],D,Ut,0),on=Kt==null?1/0:W(Ee[Kt],D,Ut,0),On=se-Ye,Fe=on-se;On<=Fe?On<=Dt&&(yt=ge):Fe<=Dt&&(yt=Kt)}else yt=Kt==null?ge:ge==null?Kt:at-ge<=Kt-at?ge:Kt}else Nt&&Tn(se-W(Ee[at],D,Ut,0))>Dt&&(yt=null);return yt}}let Qt=y=>{ut.event=y};ut.idxs=st,ut._lock=!1;let lt=ut.points;lt.show=ve(lt.show),lt.size=ve(lt.size),lt.stroke=ve(lt.stroke),lt.width=ve(lt.width),lt.fill=ve(lt.fill);let Ft=n.focus=yn({},i.focus||{alpha:.3},ut.focus),te=Ft.prox>=0,Ct=te&&lt.one,ae=[],Xe=[],Yn=[];function ra(y,T){let I=lt.show(n,T);if(I instanceof HTMLElement)return mi(I,bv),mi(I,y.class),ns(I,-10,-10,k,Rt),m.insertBefore(I,ae[T]),I}function $r(y,T){if(s==1||T>0){let I=s==1&&S[y.scale].time,N=y.value;y.value=I?mm(N)?Mm(Y,Sm(N,H)):N||Q:N||Fy,y.label=y.label||(I?Ry:Cy)}if(Ct||T>0){y.width=y.width==null?1:y.width,y.paths=y.paths||Ky||Vv,y.fillTo=ve(y.fillTo||Gy),y.pxAlign=+we(y.pxAlign,_),y.pxRound=Im(y.pxAlign),y.stroke=ve(y.stroke||null),y.fill=ve(y.fill||null),y._stroke=y._fill=y._paths=y._focus=null;let I=By(ti(1,y.width),1),N=y.points=yn({},{size:I,width:ti(1,I*.2),stroke:y.stroke,space:I*2,paths:jy,_stroke:null,_fill:null},y.points);N.show=ve(N.show),N.filter=ve(N.filter),N.fill=ve(N.fill),N.stroke=ve(N.stroke),N.paths=ve(N.paths),N.pxAlign=y.pxAlign}if(tt){let I=Ue(y,T);re.splice(T,0,I[0]),Ht.splice(T,0,I[1]),ft.values.push(null)}if(mt){st.splice(T,0,null);let I=null;Ct?T==0&&(I=ra(y,T)):T>0&&(I=ra(y,T)),ae.splice(T,0,I),Xe.splice(T,0,0),Yn.splice(T,0,0)}Nn("addSeries",T)}function Eu(y,T){T=T??v.length,y=s==1?tf(y,T,wm,Rm):tf(y,T,{},Cm),v.splice(T,0,y),$r(v[T],T)}n.addSeries=Eu;function Al(y){if(v.splice(y,1),tt){ft.values.splice(y,1),Ht.splice(y,1);let T=re.splice(y,1)[0];Mn(null,T.firstChild),T.remove()}mt&&(st.splice(y,1),ae.splice(y,1)[0].remove(),Xe.splice(y,1),Yn.splice(y,1)),Nn("delSeries",y)}n.delSeries=Al;let $i=[!1,!1,!1,!1];function _s(y,T){if(y._show=y.show,y.show){let I=y.side%2,N=S[y.scale];N==null&&(y.scale=I?v[1].scale:C,N=S[y.scale]);let G=N.time;y.size=ve(y.size),y.space=ve(y.space),y.rotate=ve(y.rotate),Zs(y.incrs)&&y.incrs.forEach(at=>{!Js.has(at)&&Js.set(at,Wm(at))}),y.incrs=ve(y.incrs||(N.distr==2?cy:G?g==1?uy:py:Mr)),y.splits=ve(y.splits||(G&&N.distr==1?ct:N.distr==3?Ju:N.distr==4?Ly:Iy)),y.stroke=ve(y.stroke),y.grid.stroke=ve(y.grid.stroke),y.ticks.stroke=ve(y.ticks.stroke),y.border.stroke=ve(y.border.stroke);let J=y.values;y.values=Zs(J)&&!Zs(J[0])?ve(J):G?Zs(J)?ym(Y,vm(J,H)):mm(J)?_y(Y,J):J||K:J||Py,y.filter=ve(y.filter||(N.distr>=3&&N.log==10?Oy:N.distr==3&&N.log==2?Uy:Gm)),y.font=Om(y.font),y.labelFont=Om(y.labelFont),y._size=y.size(n,null,T,0),y._space=y._rotate=y._incrs=y._found=y._splits=y._values=null,y._size>0&&($i[T]=!0,y._el=Ci(vv,u))}}function xs(y,T,I,N){let[G,J,at,dt]=I,yt=T%2,Dt=0;return yt==0&&(dt||J)&&(Dt=T==0&&!G||T==2&&!at?wn(bm.size/3):0),yt==1&&(G||at)&&(Dt=T==1&&!J||T==3&&!dt?wn(Em.size/2):0),Dt}let oa=n.padding=(i.padding||[xs,xs,xs,xs]).map(y=>ve(we(y,xs))),Ni=n._padding=oa.map((y,T)=>y(n,T,$i,0)),sn,ln=null,cn=null,Yi=s==1?v[0].idxs:null,ui=null,Hs=!1;function aa(y,T){if(t=y??[],n.data=n._data=t,s==2){sn=0;for(let I=1;I<v.length;I++)sn+=t[I][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),ui=t[0],sn=ui.length;let I=t;if(V==2){I=t.slice();let N=I[0]=Array(sn);for(let G=0;G<sn;G++)N[G]=G}n._data=t=I}if(ce(!0),Nn("setData"),V==2&&(vt=!0),T!==!1){let I=D;I.auto(n,Hs)?la():qs(C,I.min,I.max),et=et||ut.left>=0,pt=!0,Vn()}}n.setData=aa;function la(){Hs=!0;let y,T;s==1&&(sn>0?(ln=Yi[0]=0,cn=Yi[1]=sn-1,y=t[0][ln],T=t[0][cn],V==2?(y=ln,T=cn):y==T&&(V==3?[y,T]=Xl(y,y,D.log,!1):V==4?[y,T]=rf(y,y,D.log,!1):D.time?T=y+wn(86400/g):[y,T]=Gl(y,T,of,!0))):(ln=Yi[0]=y=null,cn=Yi[1]=T=null)),qs(C,y,T)}let Yr,Ws,Zr,E,z,j,$,Z,Tt,Pt;function Et(y,T,I,N,G,J){y??=jp,I??=lf,N??="butt",G??=jp,J??="round",y!=Yr&&(f.strokeStyle=Yr=y),G!=Ws&&(f.fillStyle=Ws=G),T!=Zr&&(f.lineWidth=Zr=T),J!=z&&(f.lineJoin=z=J),N!=j&&(f.lineCap=j=N),I!=E&&f.setLineDash(E=I)}function It(y,T,I,N){T!=Ws&&(f.fillStyle=Ws=T),y!=$&&(f.font=$=y),I!=Z&&(f.textAlign=Z=I),N!=Tt&&(f.textBaseline=Tt=N)}function kt(y,T,I,N,G=0){if(N.length>0&&y.auto(n,Hs)&&(T==null||T.min==null)){let J=we(ln,0),at=we(cn,N.length-1),dt=I.min==null?Ov(N,J,at,G,y.distr==3):[I.min,I.max];y.min=ki(y.min,I.min=dt[0]),y.max=ti(y.max,I.max=dt[1])}}let ee={min:null,max:null};function fe(){for(let N in S){let G=S[N];X[N]==null&&(G.min==null||X[C]!=null&&G.auto(n,Hs))&&(X[N]=ee)}for(let N in S){let G=S[N];X[N]==null&&G.from!=null&&X[G.from]!=null&&(X[N]=ee)}X[C]!=null&&ce(!0);let y={};for(let N in X){let G=X[N];if(G!=null){let J=y[N]=co(S[N],Wv);if(G.min!=null)yn(J,G);else if(N!=C||s==2)if(sn==0&&J.from==null){let at=J.range(n,null,null,N);J.min=at[0],J.max=at[1]}else J.min=Ve,J.max=-Ve}}if(sn>0){v.forEach((N,G)=>{if(s==1){let J=N.scale,at=X[J];if(at==null)return;let dt=y[J];if(G==0){let yt=dt.range(n,dt.min,dt.max,J);dt.min=yt[0],dt.max=yt[1],ln=Bi(dt.min,t[0]),cn=Bi(dt.max,t[0]),cn-ln>1&&(t[0][ln]<dt.min&&ln++,t[0][cn]>dt.max&&cn--),N.min=ui[ln],N.max=ui[cn]}else N.show&&N.auto&&kt(dt,at,N,t[G],N.sorted);N.idxs[0]=ln,N.idxs[1]=cn}else if(G>0&&N.show&&N.auto){let[J,at]=N.facets,dt=J.scale,yt=at.scale,[Dt,Nt]=t[G],Ut=y[dt],se=y[yt];Ut!=null&&kt(Ut,X[dt],J,Dt,J.sorted),se!=null&&kt(se,X[yt],at,Nt,at.sorted),N.min=at.min,N.max=at.max}});for(let N in y){let G=y[N],J=X[N];if(G.from==null&&(J==null||J.min==null)){let at=G.range(n,G.min==Ve?null:G.min,G.max==-Ve?null:G.max,N);G.min=at[0],G.max=at[1]}}}for(let N in y){let G=y[N];if(G.from!=null){let J=y[G.from];if(J.min==null)G.min=G.max=null;else{let at=G.range(n,J.min,J.max,N);G.min=at[0],G.max=at[1]}}}let T={},I=!1;for(let N in y){let G=y[N],J=S[N];if(J.min!=G.min||J.max!=G.max){J.min=G.min,J.max=G.max;let at=J.distr;J._min=at==3?bs(J.min):at==4?Vu(J.min,J.asinh):at==100?J.fwd(J.min):J.min,J._max=at==3?bs(J.max):at==4?Vu(J.max,J.asinh):at==100?J.fwd(J.max):J.max,T[N]=I=!0}}if(I){v.forEach((N,G)=>{s==2?G>0&&T.y&&(N._paths=null):T[N.scale]&&(N._paths=null)});for(let N in T)vt=!0,Nn("setScale",N);mt&&ut.left>=0&&(et=pt=!0)}for(let N in X)X[N]=null}function Bt(y){let T=Zu(ln-1,0,sn-1),I=Zu(cn+1,0,sn-1);for(;y[T]==null&&T>0;)T--;for(;y[I]==null&&I<sn-1;)I++;return[T,I]}function de(){if(sn>0){let y=v.some(T=>T._focus)&&Pt!=Ft.alpha;y&&(f.globalAlpha=Pt=Ft.alpha),v.forEach((T,I)=>{if(I>0&&T.show&&(tn(I,!1),tn(I,!0),T._paths==null)){let N=Pt;Pt!=T.alpha&&(f.globalAlpha=Pt=T.alpha);let G=s==2?[0,t[I][0].length-1]:Bt(t[I]);T._paths=T.paths(n,I,G[0],G[1]),Pt!=N&&(f.globalAlpha=Pt=N)}}),v.forEach((T,I)=>{if(I>0&&T.show){let N=Pt;Pt!=T.alpha&&(f.globalAlpha=Pt=T.alpha),T._paths!=null&&Ie(I,!1);{let G=T._paths!=null?T._paths.gaps:null,J=T.points.show(n,I,ln,cn,G),at=T.points.filter(n,I,J,G);(J||at)&&(T.points._paths=T.points.paths(n,I,ln,cn,at),Ie(I,!0))}Pt!=N&&(f.globalAlpha=Pt=N),Nn("drawSeries",I)}}),y&&(f.globalAlpha=Pt=1)}}function tn(y,T){let I=T?v[y].points:v[y];I._stroke=I.stroke(n,y),I._fill=I.fill(n,y)}function Ie(y,T){let I=T?v[y].points:v[y],{stroke:N,fill:G,clip:J,flags:at,_stroke:dt=I._stroke,_fill:yt=I._fill,_width:Dt=I.width}=I._paths;Dt=Ge(Dt*Ae,3);let Nt=null,Ut=Dt%2/2;T&&yt==null&&(yt=Dt>0?"#fff":dt);let se=I.pxAlign==1&&Ut>0;if(se&&f.translate(Ut,Ut),!T){let Ee=P-Dt/2,be=M-Dt/2,ge=q+Dt,Kt=ht+Dt;Nt=new Path2D,Nt.rect(Ee,be,ge,Kt)}T?Ot(dt,Dt,I.dash,I.cap,yt,N,G,at,J):Le(y,dt,Dt,I.dash,I.cap,yt,N,G,at,Nt,J),se&&f.translate(-Ut,-Ut)}function Le(y,T,I,N,G,J,at,dt,yt,Dt,Nt){let Ut=!1;yt!=0&&R.forEach((se,Ee)=>{if(se.series[0]==y){let be=v[se.series[1]],ge=t[se.series[1]],Kt=(be._paths||Sa).band;Zs(Kt)&&(Kt=se.dir==1?Kt[0]:Kt[1]);let qt,Ye=null;be.show&&Kt&&Fv(ge,ln,cn)?(Ye=se.fill(n,Ee)||J,qt=be._paths.clip):Kt=null,Ot(T,I,N,G,Ye,at,dt,yt,Dt,Nt,qt,Kt),Ut=!0}}),Ut||Ot(T,I,N,G,J,at,dt,yt,Dt,Nt)}let bn=ho|ju;function Ot(y,T,I,N,G,J,at,dt,yt,Dt,Nt,Ut){Et(y,T,I,N,G),(yt||Dt||Ut)&&(f.save(),yt&&f.clip(yt),Dt&&f.clip(Dt)),Ut?(dt&bn)==bn?(f.clip(Ut),Nt&&f.clip(Nt),xe(G,at),mn(y,J,T)):dt&ju?(xe(G,at),f.clip(Ut),mn(y,J,T)):dt&ho&&(f.save(),f.clip(Ut),Nt&&f.clip(Nt),xe(G,at),f.restore(),mn(y,J,T)):(xe(G,at),mn(y,J,T)),(yt||Dt||Ut)&&f.restore()}function mn(y,T,I){I>0&&(T instanceof Map?T.forEach((N,G)=>{f.strokeStyle=Yr=G,f.stroke(N)}):T!=null&&y&&f.stroke(T))}function xe(y,T){T instanceof Map?T.forEach((I,N)=>{f.fillStyle=Ws=N,f.fill(I)}):T!=null&&y&&f.fill(T)}function vs(y,T,I,N){let G=A[y],J;if(N<=0)J=[0,0];else{let at=G._space=G.space(n,y,T,I,N),dt=G._incrs=G.incrs(n,y,T,I,N,at);J=sS(T,I,dt,N,at)}return G._found=J}function gn(y,T,I,N,G,J,at,dt,yt,Dt){let Nt=at%2/2;_==1&&f.translate(Nt,Nt),Et(dt,at,yt,Dt,dt),f.beginPath();let Ut,se,Ee,be,ge=G+(N==0||N==3?-J:J);I==0?(se=G,be=ge):(Ut=G,Ee=ge);for(let Kt=0;Kt<y.length;Kt++)T[Kt]!=null&&(I==0?Ut=Ee=y[Kt]:se=be=y[Kt],f.moveTo(Ut,se),f.lineTo(Ee,be));f.stroke(),_==1&&f.translate(-Nt,-Nt)}function Jr(y){let T=!0;return A.forEach((I,N)=>{if(!I.show)return;let G=S[I.scale];if(G.min==null){I._show&&(T=!1,I._show=!1,ce(!1));return}else I._show||(T=!1,I._show=!0,ce(!1));let J=I.side,at=J%2,{min:dt,max:yt}=G,[Dt,Nt]=vs(N,dt,yt,at==0?k:Rt);if(Nt==0)return;let Ut=G.distr==2,se=I._splits=I.splits(n,N,dt,yt,Dt,Nt,Ut),Ee=G.distr==2?se.map(qt=>ui[qt]):se,be=G.distr==2?ui[se[1]]-ui[se[0]]:Dt,ge=I._values=I.values(n,I.filter(n,Ee,N,Nt,be),N,Nt,be);I._rotate=J==2?I.rotate(n,ge,N,Nt):0;let Kt=I._size;I._size=Ri(I.size(n,ge,N,y)),Kt!=null&&I._size!=Kt&&(T=!1)}),T}function Zi(y){let T=!0;return oa.forEach((I,N)=>{let G=I(n,N,$i,y);G!=Ni[N]&&(T=!1),Ni[N]=G}),T}function ys(){for(let y=0;y<A.length;y++){let T=A[y];if(!T.show||!T._show)continue;let I=T.side,N=I%2,G,J,at=T.stroke(n,y),dt=I==0||I==3?-1:1,[yt,Dt]=T._found;if(T.label!=null){let Kn=T.labelGap*dt,pi=wn((T._lpos+Kn)*Ae);It(T.labelFont[0],at,"center",I==2?"top":Kp),f.save(),N==1?(G=J=0,f.translate(pi,wn(M+ht/2)),f.rotate((I==3?-zl:zl)/2)):(G=wn(P+q/2),J=pi);let yr=zm(T.label)?T.label(n,y,yt,Dt):T.label;f.fillText(yr,G,J),f.restore()}if(Dt==0)continue;let Nt=S[T.scale],Ut=N==0?q:ht,se=N==0?P:M,Ee=T._splits,be=Nt.distr==2?Ee.map(Kn=>ui[Kn]):Ee,ge=Nt.distr==2?ui[Ee[1]]-ui[Ee[0]]:yt,Kt=T.ticks,qt=T.border,Ye=Kt.show?Kt.size:0,on=wn(Ye*Ae),On=wn((T.alignTo==2?T._size-Ye-T.gap:T.gap)*Ae),Fe=T._rotate*-zl/180,an=p(T._pos*Ae),fi=(on+On)*dt,Jn=an+fi;J=N==0?Jn:0,G=N==1?Jn:0;let Ei=T.font[0],Oi=T.align==1?so:T.align==2?Bu:Fe>0?so:Fe<0?Bu:N==0?"center":I==3?Bu:so,ji=Fe||N==1?"middle":I==2?"top":Kp;It(Ei,at,Oi,ji);let di=T.font[1]*T.lineGap,Ai=Ee.map(Kn=>p(a(Kn,Nt,Ut,se))),Ui=T._values;for(let Kn=0;Kn<Ui.length;Kn++){let pi=Ui[Kn];if(pi!=null){N==0?G=Ai[Kn]:J=Ai[Kn],pi=""+pi;let yr=pi.indexOf(`
`)==-1?[pi]:pi.split(/\n/gm);for(let jn=0;jn<yr.length;jn++){let kp=yr[jn];Fe?(f.save(),f.translate(G,J+jn*di),f.rotate(Fe),f.fillText(kp,0,0),f.restore()):f.fillText(kp,G,J+jn*di)}}}Kt.show&&gn(Ai,Kt.filter(n,be,y,Dt,ge),N,I,an,on,Ge(Kt.width*Ae,3),Kt.stroke(n,y),Kt.dash,Kt.cap);let Qi=T.grid;Qi.show&&gn(Ai,Qi.filter(n,be,y,Dt,ge),N,N==0?2:1,N==0?M:P,N==0?ht:q,Ge(Qi.width*Ae,3),Qi.stroke(n,y),Qi.dash,Qi.cap),qt.show&&gn([an],[1],N==0?1:0,N==0?1:2,N==1?M:P,N==1?ht:q,Ge(qt.width*Ae,3),qt.stroke(n,y),qt.dash,qt.cap)}Nn("drawAxes")}function ce(y){v.forEach((T,I)=>{I>0&&(T._paths=null,y&&(s==1?(T.min=null,T.max=null):T.facets.forEach(N=>{N.min=null,N.max=null})))})}let rn=!1,Zn=!1,De=[];function _n(){Zn=!1;for(let y=0;y<De.length;y++)Nn(...De[y]);De.length=0}function Vn(){rn||(Kv(Sp),rn=!0)}function Cl(y,T=!1){rn=!0,Zn=T,y(n),Sp(),T&&De.length>0&&queueMicrotask(_n)}n.batch=Cl;function Sp(){if(ot&&(fe(),ot=!1),vt&&(wt(),vt=!1),_t){if(Ze(d,so,Zt),Ze(d,"top",oe),Ze(d,_a,k),Ze(d,xa,Rt),Ze(m,so,Zt),Ze(m,"top",oe),Ze(m,_a,k),Ze(m,xa,Rt),Ze(u,_a,nn),Ze(u,xa,pn),h.width=wn(nn*Ae),h.height=wn(pn*Ae),A.forEach(({_el:y,_show:T,_size:I,_pos:N,side:G})=>{if(y!=null)if(T){let J=G===3||G===0?I:0,at=G%2==1;Ze(y,at?"left":"top",N-J),Ze(y,at?"width":"height",I),Ze(y,at?"top":"left",at?oe:Zt),Ze(y,at?"height":"width",at?Rt:k),$u(y,br)}else mi(y,br)}),Yr=Ws=Zr=z=j=$=Z=Tt=E=null,Pt=1,ua(!0),Zt!=bt||oe!=ke||k!=Gt||Rt!=$t){ce(!1);let y=k/Gt,T=Rt/$t;if(mt&&!et&&ut.left>=0){ut.left*=y,ut.top*=T,Kr&&ns(Kr,wn(ut.left),0,k,Rt),jr&&ns(jr,0,wn(ut.top),k,Rt);for(let I=0;I<ae.length;I++){let N=ae[I];N!=null&&(Xe[I]*=y,Yn[I]*=T,ns(N,Ri(Xe[I]),Ri(Yn[I]),k,Rt))}}if($e.show&&!it&&$e.left>=0&&$e.width>0){$e.left*=y,$e.width*=y,$e.top*=T,$e.height*=T;for(let I in Lu)Ze(eo,I,$e[I])}bt=Zt,ke=oe,Gt=k,$t=Rt}Nn("setSize"),_t=!1}nn>0&&pn>0&&(f.clearRect(0,0,h.width,h.height),Nn("drawClear"),w.forEach(y=>y()),Nn("draw")),$e.show&&it&&(Rl($e),it=!1),mt&&et&&(vr(null,!0,!1),et=!1),ft.show&&ft.live&&pt&&(Pu(),pt=!1),l||(l=!0,n.status=1,Nn("ready")),Hs=!1,rn=!1}n.redraw=(y,T)=>{vt=T||!1,y!==!1?qs(C,D.min,D.max):Vn()};function Au(y,T){let I=S[y];if(I.from==null){if(sn==0){let N=I.range(n,T.min,T.max,y);T.min=N[0],T.max=N[1]}if(T.min>T.max){let N=T.min;T.min=T.max,T.max=N}if(sn>1&&T.min!=null&&T.max!=null&&T.max-T.min<1e-16)return;y==C&&I.distr==2&&sn>0&&(T.min=Bi(T.min,t[0]),T.max=Bi(T.max,t[0]),T.min==T.max&&T.max++),X[y]=T,ot=!0,Vn()}}n.setScale=Au;let Cu,Ru,Kr,jr,Mp,bp,Qr,to,wp,Tp,qe,je,Xs=!1,Bn=ut.drag,Ln=Bn.x,Dn=Bn.y;mt&&(ut.x&&(Cu=Ci(Sv,m)),ut.y&&(Ru=Ci(Mv,m)),D.ori==0?(Kr=Cu,jr=Ru):(Kr=Ru,jr=Cu),qe=ut.left,je=ut.top);let $e=n.select=yn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),eo=$e.show?Ci(yv,$e.over?m:d):null;function Rl(y,T){if($e.show){for(let I in y)$e[I]=y[I],I in Lu&&Ze(eo,I,y[I]);T!==!1&&Nn("setSelect")}}n.setSelect=Rl;function Hx(y){if(v[y].show)tt&&$u(re[y],br);else if(tt&&mi(re[y],br),mt){let I=Ct?ae[0]:ae[y];I!=null&&ns(I,-10,-10,k,Rt)}}function qs(y,T,I){Au(y,{min:T,max:I})}function Ji(y,T,I,N){T.focus!=null&&Yx(y),T.show!=null&&v.forEach((G,J)=>{J>0&&(y==J||y==null)&&(G.show=T.show,Hx(J),s==2?(qs(G.facets[0].scale,null,null),qs(G.facets[1].scale,null,null)):qs(G.scale,null,null),Vn())}),I!==!1&&Nn("setSeries",y,T),N&&fa("setSeries",n,y,T)}n.setSeries=Ji;function Wx(y,T){yn(R[y],T)}function Xx(y,T){y.fill=ve(y.fill||null),y.dir=we(y.dir,-1),T=T??R.length,R.splice(T,0,y)}function qx(y){y==null?R.length=0:R.splice(y,1)}n.addBand=Xx,n.setBand=Wx,n.delBand=qx;function $x(y,T){v[y].alpha=T,mt&&ae[y]!=null&&(ae[y].style.opacity=T),tt&&re[y]&&(re[y].style.opacity=T)}let Ss,$s,xr,no={focus:!0};function Yx(y){if(y!=xr){let T=y==null,I=Ft.alpha!=1;v.forEach((N,G)=>{if(s==1||G>0){let J=T||G==0||G==y;N._focus=T?null:J,I&&$x(G,J?1:Ft.alpha)}}),xr=y,I&&Vn()}}tt&&te&&Se(em,At,y=>{ut._lock||(Qt(y),xr!=null&&Ji(null,no,!0,xn.setSeries))});function Ki(y,T,I){let N=S[T];I&&(y=y/Ae-(N.ori==1?oe:Zt));let G=k;N.ori==1&&(G=Rt,y=G-y),N.dir==-1&&(y=G-y);let J=N._min,at=N._max,dt=y/G,yt=J+(at-J)*dt,Dt=N.distr;return Dt==3?ao(10,yt):Dt==4?kv(yt,N.asinh):Dt==100?N.bwd(yt):yt}function Zx(y,T){let I=Ki(y,C,T);return Bi(I,t[0],ln,cn)}n.valToIdx=y=>Bi(y,t[0]),n.posToIdx=Zx,n.posToVal=Ki,n.valToPos=(y,T,I)=>S[T].ori==0?r(y,S[T],I?q:k,I?P:0):o(y,S[T],I?ht:Rt,I?M:0),n.setCursor=(y,T,I)=>{qe=y.left,je=y.top,vr(null,T,I)};function Ep(y,T){Ze(eo,so,$e.left=y),Ze(eo,_a,$e.width=T)}function Ap(y,T){Ze(eo,"top",$e.top=y),Ze(eo,xa,$e.height=T)}let ca=D.ori==0?Ep:Ap,ha=D.ori==1?Ep:Ap;function Jx(){if(tt&&ft.live)for(let y=s==2?1:0;y<v.length;y++){if(y==0&&le)continue;let T=ft.values[y],I=0;for(let N in T)Ht[y][I++].firstChild.nodeValue=T[N]}}function Pu(y,T){if(y!=null&&(y.idxs?y.idxs.forEach((I,N)=>{st[N]=I}):Hv(y.idx)||st.fill(y.idx),ft.idx=st[0]),tt&&ft.live){for(let I=0;I<v.length;I++)(I>0||s==1&&!le)&&Kx(I,st[I]);Jx()}pt=!1,T!==!1&&Nn("setLegend")}n.setLegend=Pu;function Kx(y,T){let I=v[y],N=y==0&&V==2?ui:t[y],G;le?G=I.values(n,y,T)??ie:(G=I.value(n,T==null?null:N[T],y,T),G=G==null?ie:{_:G}),ft.values[y]=G}function vr(y,T,I){wp=qe,Tp=je,[qe,je]=ut.move(n,qe,je),ut.left=qe,ut.top=je,mt&&(Kr&&ns(Kr,wn(qe),0,k,Rt),jr&&ns(jr,0,wn(je),k,Rt));let N,G=ln>cn;Ss=Ve,$s=null;let J=D.ori==0?k:Rt,at=D.ori==1?k:Rt;if(qe<0||sn==0||G){N=ut.idx=null;for(let dt=0;dt<v.length;dt++){let yt=ae[dt];yt!=null&&ns(yt,-10,-10,k,Rt)}te&&Ji(null,no,!0,y==null&&xn.setSeries),ft.live&&(st.fill(N),pt=!0)}else{let dt,yt,Dt;s==1&&(dt=D.ori==0?qe:je,yt=Ki(dt,C),N=ut.idx=Bi(yt,t[0],ln,cn),Dt=W(t[0][N],D,J,0));let Nt=-10,Ut=-10,se=0,Ee=0,be=!0,ge="",Kt="";for(let qt=s==2?1:0;qt<v.length;qt++){let Ye=v[qt],on=st[qt],On=on==null?null:s==1?t[qt][on]:t[qt][1][on],Fe=ut.dataIdx(n,qt,N,yt),an=Fe==null?null:s==1?t[qt][Fe]:t[qt][1][Fe];if(pt=pt||an!=On||Fe!=on,st[qt]=Fe,qt>0&&Ye.show){let fi=Fe==null?-10:Fe==N?Dt:W(s==1?t[0][Fe]:t[qt][0][Fe],D,J,0),Jn=an==null?-10:O(an,s==1?S[Ye.scale]:S[Ye.facets[1].scale],at,0);if(te&&an!=null){let Ei=D.ori==1?qe:je,Oi=Tn(Ft.dist(n,qt,Fe,Jn,Ei));if(Oi<Ss){let ji=Ft.bias;if(ji!=0){let di=Ki(Ei,Ye.scale),Ai=an>=0?1:-1,Ui=di>=0?1:-1;Ui==Ai&&(Ui==1?ji==1?an>=di:an<=di:ji==1?an<=di:an>=di)&&(Ss=Oi,$s=qt)}else Ss=Oi,$s=qt}}if(pt||Ct){let Ei,Oi;D.ori==0?(Ei=fi,Oi=Jn):(Ei=Jn,Oi=fi);let ji,di,Ai,Ui,Qi,Kn,pi=!0,yr=lt.bbox;if(yr!=null){pi=!1;let jn=yr(n,qt);Ai=jn.left,Ui=jn.top,ji=jn.width,di=jn.height}else Ai=Ei,Ui=Oi,ji=di=lt.size(n,qt);if(Kn=lt.fill(n,qt),Qi=lt.stroke(n,qt),Ct)qt==$s&&Ss<=Ft.prox&&(Nt=Ai,Ut=Ui,se=ji,Ee=di,be=pi,ge=Kn,Kt=Qi);else{let jn=ae[qt];jn!=null&&(Xe[qt]=Ai,Yn[qt]=Ui,lm(jn,ji,di,pi),om(jn,Kn,Qi),ns(jn,Ri(Ai),Ri(Ui),k,Rt))}}}}if(Ct){let qt=Ft.prox,Ye=xr==null?Ss<=qt:Ss>qt||$s!=xr;if(pt||Ye){let on=ae[0];on!=null&&(Xe[0]=Nt,Yn[0]=Ut,lm(on,se,Ee,be),om(on,ge,Kt),ns(on,Ri(Nt),Ri(Ut),k,Rt))}}}if($e.show&&Xs)if(y!=null){let[dt,yt]=xn.scales,[Dt,Nt]=xn.match,[Ut,se]=y.cursor.sync.scales,Ee=y.cursor.drag;if(Ln=Ee._x,Dn=Ee._y,Ln||Dn){let{left:be,top:ge,width:Kt,height:qt}=y.select,Ye=y.scales[Ut].ori,on=y.posToVal,On,Fe,an,fi,Jn,Ei=dt!=null&&Dt(dt,Ut),Oi=yt!=null&&Nt(yt,se);Ei&&Ln?(Ye==0?(On=be,Fe=Kt):(On=ge,Fe=qt),an=S[dt],fi=W(on(On,Ut),an,J,0),Jn=W(on(On+Fe,Ut),an,J,0),ca(ki(fi,Jn),Tn(Jn-fi))):ca(0,J),Oi&&Dn?(Ye==1?(On=be,Fe=Kt):(On=ge,Fe=qt),an=S[yt],fi=O(on(On,se),an,at,0),Jn=O(on(On+Fe,se),an,at,0),ha(ki(fi,Jn),Tn(Jn-fi))):ha(0,at)}else Du()}else{let dt=Tn(wp-Mp),yt=Tn(Tp-bp);if(D.ori==1){let se=dt;dt=yt,yt=se}Ln=Bn.x&&dt>=Bn.dist,Dn=Bn.y&&yt>=Bn.dist;let Dt=Bn.uni;Dt!=null?Ln&&Dn&&(Ln=dt>=Dt,Dn=yt>=Dt,!Ln&&!Dn&&(yt>dt?Dn=!0:Ln=!0)):Bn.x&&Bn.y&&(Ln||Dn)&&(Ln=Dn=!0);let Nt,Ut;Ln&&(D.ori==0?(Nt=Qr,Ut=qe):(Nt=to,Ut=je),ca(ki(Nt,Ut),Tn(Ut-Nt)),Dn||ha(0,at)),Dn&&(D.ori==1?(Nt=Qr,Ut=qe):(Nt=to,Ut=je),ha(ki(Nt,Ut),Tn(Ut-Nt)),Ln||ca(0,J)),!Ln&&!Dn&&(ca(0,0),ha(0,0))}if(Bn._x=Ln,Bn._y=Dn,y==null){if(I){if(Bp!=null){let[dt,yt]=xn.scales;xn.values[0]=dt!=null?Ki(D.ori==0?qe:je,dt):null,xn.values[1]=yt!=null?Ki(D.ori==1?qe:je,yt):null}fa(ku,n,qe,je,k,Rt,N)}if(te){let dt=I&&xn.setSeries,yt=Ft.prox;xr==null?Ss<=yt&&Ji($s,no,!0,dt):Ss>yt?Ji(null,no,!0,dt):$s!=xr&&Ji($s,no,!0,dt)}}pt&&(ft.idx=N,Pu()),T!==!1&&Nn("setCursor")}let Ys=null;Object.defineProperty(n,"rect",{get(){return Ys==null&&ua(!1),Ys}});function ua(y=!1){y?Ys=null:(Ys=m.getBoundingClientRect(),Nn("syncRect",Ys))}function Cp(y,T,I,N,G,J,at){ut._lock||Xs&&y!=null&&y.movementX==0&&y.movementY==0||(Iu(y,T,I,N,G,J,at,!1,y!=null),y!=null?vr(null,!0,!0):vr(T,!0,!1))}function Iu(y,T,I,N,G,J,at,dt,yt){if(Ys==null&&ua(!1),Qt(y),y!=null)I=y.clientX-Ys.left,N=y.clientY-Ys.top;else{if(I<0||N<0){qe=-10,je=-10;return}let[Dt,Nt]=xn.scales,Ut=T.cursor.sync,[se,Ee]=Ut.values,[be,ge]=Ut.scales,[Kt,qt]=xn.match,Ye=T.axes[0].side%2==1,on=D.ori==0?k:Rt,On=D.ori==1?k:Rt,Fe=Ye?J:G,an=Ye?G:J,fi=Ye?N:I,Jn=Ye?I:N;if(be!=null?I=Kt(Dt,be)?a(se,S[Dt],on,0):-10:I=on*(fi/Fe),ge!=null?N=qt(Nt,ge)?a(Ee,S[Nt],On,0):-10:N=On*(Jn/an),D.ori==1){let Ei=I;I=N,N=Ei}}yt&&(T==null||T.cursor.event.type==ku)&&((I<=1||I>=k-1)&&(I=Sr(I,k)),(N<=1||N>=Rt-1)&&(N=Sr(N,Rt))),dt?(Mp=I,bp=N,[Qr,to]=ut.move(n,I,N)):(qe=I,je=N)}let Lu={width:0,height:0,left:0,top:0};function Du(){Rl(Lu,!1)}let Rp,Pp,Ip,Lp;function Dp(y,T,I,N,G,J,at){Xs=!0,Ln=Dn=Bn._x=Bn._y=!1,Iu(y,T,I,N,G,J,at,!0,!1),y!=null&&(Se(zu,Xu,Np,!1),fa(Qp,n,Qr,to,k,Rt,null));let{left:dt,top:yt,width:Dt,height:Nt}=$e;Rp=dt,Pp=yt,Ip=Dt,Lp=Nt}function Np(y,T,I,N,G,J,at){Xs=Bn._x=Bn._y=!1,Iu(y,T,I,N,G,J,at,!1,!0);let{left:dt,top:yt,width:Dt,height:Nt}=$e,Ut=Dt>0||Nt>0,se=Rp!=dt||Pp!=yt||Ip!=Dt||Lp!=Nt;if(Ut&&se&&Rl($e),Bn.setScale&&Ut&&se){let Ee=dt,be=Dt,ge=yt,Kt=Nt;if(D.ori==1&&(Ee=yt,be=Nt,ge=dt,Kt=Dt),Ln&&qs(C,Ki(Ee,C),Ki(Ee+be,C)),Dn)for(let qt in S){let Ye=S[qt];qt!=C&&Ye.from==null&&Ye.min!=Ve&&qs(qt,Ki(ge+Kt,qt),Ki(ge,qt))}Du()}else ut.lock&&(ut._lock=!ut._lock,vr(T,!0,y!=null));y!=null&&(Mn(zu,Xu),fa(zu,n,qe,je,k,Rt,null))}function jx(y,T,I,N,G,J,at){if(ut._lock)return;Qt(y);let dt=Xs;if(Xs){let yt=!0,Dt=!0,Nt=10,Ut,se;D.ori==0?(Ut=Ln,se=Dn):(Ut=Dn,se=Ln),Ut&&se&&(yt=qe<=Nt||qe>=k-Nt,Dt=je<=Nt||je>=Rt-Nt),Ut&&yt&&(qe=qe<Qr?0:k),se&&Dt&&(je=je<to?0:Rt),vr(null,!0,!0),Xs=!1}qe=-10,je=-10,st.fill(null),vr(null,!0,!0),dt&&(Xs=dt)}function Op(y,T,I,N,G,J,at){ut._lock||(Qt(y),la(),Du(),y!=null&&fa(nm,n,qe,je,k,Rt,null))}function Up(){A.forEach(rS),B(n.width,n.height,!0)}wr(Vl,oo,Up);let io={};io.mousedown=Dp,io.mousemove=Cp,io.mouseup=Np,io.dblclick=Op,io.setSeries=(y,T,I,N)=>{let G=xn.match[2];I=G(n,T,I),I!=-1&&Ji(I,N,!0,!1)},mt&&(Se(Qp,m,Dp),Se(ku,m,Cp),Se(tm,m,y=>{Qt(y),ua(!1)}),Se(em,m,jx),Se(nm,m,Op),Qu.add(n),n.syncRect=ua);let Pl=n.hooks=i.hooks||{};function Nn(y,T,I){Zn?De.push([y,T,I]):y in Pl&&Pl[y].forEach(N=>{N.call(null,n,T,I)})}(i.plugins||[]).forEach(y=>{for(let T in y.hooks)Pl[T]=(Pl[T]||[]).concat(y.hooks[T])});let Fp=(y,T,I)=>I,xn=yn({key:null,setSeries:!1,filters:{pub:dm,sub:dm},scales:[C,v[1]?v[1].scale:null],match:[pm,pm,Fp],values:[null,null]},ut.sync);xn.match.length==2&&xn.match.push(Fp),ut.sync=xn;let Bp=xn.key,Nu=hg(Bp);function fa(y,T,I,N,G,J,at){xn.filters.pub(y,T,I,N,G,J,at)&&Nu.pub(y,T,I,N,G,J,at)}Nu.sub(n);function Qx(y,T,I,N,G,J,at){xn.filters.sub(y,T,I,N,G,J,at)&&io[y](null,T,I,N,G,J,at)}n.pub=Qx;function tv(){Nu.unsub(n),Qu.delete(n),In.clear(),Yu(Vl,oo,Up),c.remove(),At?.remove(),Nn("destroy")}n.destroy=tv;function Ou(){Nn("init",i,t),aa(t||i.data,!1),X[C]?Au(C,X[C]):la(),it=$e.show&&($e.width>0||$e.height>0),et=pt=!0,B(i.width,i.height)}return v.forEach($r),A.forEach(_s),e?e instanceof HTMLElement?(e.appendChild(c),Ou()):e(n,Ou):Ou(),n}hn.assign=yn;hn.fmtNum=af;hn.rangeNum=Gl;hn.rangeLog=Xl;hn.rangeAsinh=rf;hn.orient=Er;hn.pxRatio=Ae;hn.join=Jv;hn.fmtDate=cf,hn.tzDate=ay;hn.sync=hg;{hn.addGap=Hy,hn.clipGaps=Yl;let i=hn.paths={points:gg};i.linear=xg,i.stepped=qy,i.bars=$y,i.spline=Zy}function zi(i,t){return gf.has(i)||gf.set(i,oS(i,t)),gf.get(i)}var gf=new WeakMap;function oS(i,t){let e=.012*(t.t1-t.t0);return i.contacts.map(({time:n,t_end:s,t_last:r,distance_upper:o,event:a,least:l})=>({time:n,from:n,to:s??r??Math.min(n+e,t.t1),known:s!=null||r!=null,lasts:s==null&&r!=null,depth:o<0?-o:null,event:a??i.event,least:l}))}function is(i,t,e){if(t.event!=="contact")return[];if(!(i.margin>0)||!i.curve||!t.known)return[t];let n=[],{times:s,upper:r}=i.curve;for(let o=xi(s,t.from);o<s.length&&s[o]<=t.to;o++){let a=r[o]<=e.tolerance&&s[o]>=t.from;a&&n.at(-1)?.last===o-1?Object.assign(n.at(-1),{to:s[o],last:o}):a&&n.push({from:s[o],to:s[o],last:o})}return n.length>0?n:[t]}function jl(i,t){let e=i.flatMap(o=>zi(o,t).map(a=>({pair:o,span:a}))),n=e.filter(({pair:o,span:a})=>a.event==="too close"||is(o,a,t)[0]!==a),s=e.flatMap(({pair:o,span:a})=>is(o,a,t).map(({from:l,to:c})=>({from:l,to:a.known?c:l}))),r=(o,a)=>aS(o).map(l=>({...l,event:a}));return[...r(n.map(({span:o})=>o),"too close"),...r(s,"contact")]}function aS(i){let t=[];for(let{from:e,to:n}of[...i].sort((s,r)=>s.from-r.from)){let s=t.at(-1);s&&e<=s.to?s.to=Math.max(s.to,n):t.push({from:e,to:n})}return t}function Ks({a:i,b:t},e){return e.unchecked.filter(n=>n.a===i&&n.b===t||n.a===t&&n.b===i).map(({t_from:n,t_to:s,reason:r})=>({from:n??e.t0,to:s??e.t1,reason:r}))}function Mg(i,t,e){if(i.verdict!=="COLLIDING")return null;let n=1e-6*Math.max(e.t1-e.t0,1e-6),s=zi(i,e),r=({from:l,to:c})=>t>=l-n&&t<=c+n,o=s.find(r);if(o)return is(i,o,e).some(r)?"contact":"too close";if(s.every(({known:l})=>l)&&!(i.left!=null&&t>=i.left)||Ks(i,e).some(({from:l,to:c})=>t>=l&&t<=c))return null;let a=i.curve&&Ql(i.curve,t);return a==null||a.upper>i.margin+e.tolerance?null:i.margin>0&&a.upper>e.tolerance?"too close":"contact"}function Ql(i,t){let{times:e}=i,n=e.length-1;if(n<0||t<e[0]-1e-9||t>e[n]+1e-6)return null;let s=xi(e,t);if(s===n||t-e[s]<1e-6)return{lower:i.lower[s],upper:i.upper[s],exact:!0};let r=(t-e[s])/(e[s+1]-e[s]),o=i.upper[s]+r*(i.upper[s+1]-i.upper[s]);return{lower:i.lower_between[s],upper:o,exact:!1}}function xi(i,t){let e=0;for(let n=i.length-1;e<n;){let s=e+n+1>>1;i[s]<=t?e=s:n=s-1}return e}function ba(i){return i.proof==="sampled in time"}function Ar(i){let t={COLLIDING:0,UNDECIDED:1,CLEAR:2}[i.verdict],e=t===0?i.time??0:_f(i);return[t,e]}function _f(i){return i.reach!=null?i.reach:i.clearance_upper==null?1e6+(i.clearance_lower??0):i.clearance_lower??-1e6}function mo(i){return i.verdict==="UNDECIDED"?ba(i)?i.clearance_time:i.t_lo:i.time??i.clearance_time}function js(i){return i.split("/")[0]}var lS=40;function bg(i){let t=i.pairs.filter(r=>r.curve).map(r=>({pair:r,curve:r.curve,skipped:Ks(r,i)}));if(t.length===0)return null;let e=i.pairs.filter(r=>!r.curve).map(r=>r.clearance_lower??0),n=Math.min(...e,i.far?.count?i.far.bound:1/0),s=[];for(let r of cS(t)){let[o,a,l]=[1/0,n,null];for(let c of t){if(hS(c,r,i))continue;let h=uS(c.curve,r);a=Math.min(a,h.lower),(h.upper<o||h.upper===o&&h.exact)&&([o,l]=[h.upper,{...h,pair:c.pair}])}l?.exact&&s.push({time:r,upper:o,lower:Math.min(a,o),pair:l.pair})}return s.length===0?null:{times:s.map(r=>r.time),upper:s.map(r=>r.upper),lower:s.map(r=>r.lower),lower_between:s.slice(1).map((r,o)=>Math.min(fS(t,s[o].time,r.time),n)),pairs:s.map(r=>r.pair)}}function cS(i){let t=new Map(i.map(({curve:n})=>[n,Math.min(...n.upper)])),e=[...t.keys()].sort((n,s)=>t.get(n)-t.get(s)).slice(0,lS);return[...new Set(e.flatMap(n=>Array.from(n.times)))].sort((n,s)=>n-s)}function hS({skipped:i},t,{t0:e,t1:n}){return i.some(({from:s,to:r})=>(t>s||s<=e)&&(t<r||r>=n))}function uS(i,t){let e=xi(i.times,t);if(i.times[e]===t)return{lower:i.lower[e],upper:i.upper[e],exact:!0};let n=Math.min(e+1,i.times.length-1),s=(t-i.times[e])/(i.times[n]-i.times[e]||1),r=i.upper[e]+s*(i.upper[n]-i.upper[e]);return{lower:i.lower_between[Math.min(e,i.lower_between.length-1)],upper:r,exact:!1}}function fS(i,t,e){let n=1/0;for(let{curve:s,skipped:r}of i)if(!r.some(o=>o.from<=t&&o.to>=e))for(let o=xi(s.times,t);o<s.lower_between.length&&s.times[o]<e;o++)n=Math.min(n,s.lower_between[o]);return n}function vf(i,t,e,{all:n=!1}={}){let s=b("h2"),r=b("p",{class:"now"}),o=b("button",{type:"button",class:"zoom","aria-pressed":"false",click:()=>{o.setAttribute("aria-pressed",String(o.getAttribute("aria-pressed")!=="true")),u()}},"Zoom in"),a=b("div",{class:"plot",role:"img"}),l=b("p",{class:"legend"});i.append(b("div",{class:"bar"},s,r,o),a,l);let c=null,h=null,f=()=>{let{report:_}=t.programs[e.values.program];return{report:_,pair:n?dS(_):_.pairs[e.values.pair]}},u=()=>{if(c?.destroy(),c=null,i.hidden)return;let{report:_,pair:p}=h=f();if(Jt(l),o.hidden=!p?.curve,Jt(s,n?["Minimum distance of all pairs"]:p?[Qn(p.a)," \u2013 ",Qn(p.b)]:["Distance"]),a.setAttribute("aria-label",p?`Distance over time. ${p.sentence}`:"Distance over time"),!p?.curve){Jt(a,b("p",{class:"empty"},pS(p)));return}Jt(a),c=yS(a,p,_,e,o.getAttribute("aria-pressed")==="true"),Jt(l,_S(p,_))},d=()=>{if(i.hidden||!h)return;let{report:_,pair:p}=h;Jt(r,p?.curve?mS(p,e.values.time,_):""),c?.redraw(!1)},m=()=>(u(),d());m(),e.listen((_,p)=>{p.has("program")||!n&&p.has("pair")?m():p.has("time")&&d()}),new ResizeObserver(()=>c?.setSize(wa(a))).observe(a);for(let _ of["(prefers-color-scheme: dark)","print"])matchMedia(_).addEventListener("change",m);return m}var xf=new WeakMap;function dS(i){if(!xf.has(i)){let t=bg(i),e=Math.max(...i.pairs.map(s=>s.margin),0),n=i.pairs.every(s=>s.margin===e);xf.set(i,{curve:t,margin:n?e:0,contacts:jl(i.pairs,i).map(({from:s,to:r,event:o})=>({time:s,t_end:r,event:o})),sentence:"The minimum distance of all pairs that were checked",isAll:!0,event:"contact"})}return xf.get(i)}function pS(i){return i?i.isAll?"No pair has a curve: none comes near, or no curves were requested.":ba(i)?"No curve: the motion was sampled, and nothing is known between steps.":i.clearance_upper==null&&i.least?`No curve: this pair is ${i.least} apart all the time.`:"No curve was requested. keepclear verify CELL --html FILE computes curves; in Python, verify(..., curves=200).":"No pair is selected."}function mS(i,t,e){let n=Ql(i.curve,t);if(!n)return"";let s=i.isAll?gS(i.curve,t):null,r=`${ts(t,e.t1-e.t0)}${s?`, ${s.a} \u2013 ${s.b}`:""}`;return n.exact?`${Vp(n.lower,n.upper)} at ${r}`:n.lower>0?`at least ${Ne(n.lower,Math.floor)} at ${r}`:`about ${Ne(n.upper)} at ${r}`}function gS({times:i,pairs:t},e){let n=xi(i,e);return t[n+1]&&i[n+1]-e<e-i[n]?t[n+1]:t[n]}function _S(i,t){let e=(n,s)=>b("span",{},b("i",{class:n}),s);return[e("band","distance, between certified bounds"),e("floor","lower bound between instants"),i.margin>0&&e("margin",`margin ${Ne(i.margin)}`),["contact","too close"].map(n=>xS(i,n)&&e(n==="contact"?"contact":"close",n)),i.verdict==="UNDECIDED"&&e("open","undecided"),!i.isAll&&Ks(i,t).length>0&&e("skip","not checked")].flat()}function xS(i,t){let e=!i.isAll&&i.margin>0&&i.contacts.length>0;return i.contacts.some(({event:n})=>(n??i.event)===t)||e&&t==="too close"}function wa(i){return{width:Math.max(i.clientWidth,200),height:Math.max(i.clientHeight,120)}}function vS({curve:i,margin:t},e,n){let s=i.upper.filter(Number.isFinite),r={from:e.t0,to:e.t1>e.t0?e.t1:e.t0+1,top:Math.max(...s,t*1.5,.001)};if(!n||s.length===0)return r;let o=Math.min(...s),a=Math.min(r.top,Math.max(3*o,2*t,.02)),[l,c]=[i.upper.indexOf(o),i.upper.indexOf(o)];for(;l>0&&i.upper[l]<a;)l--;for(;c<i.upper.length-1&&i.upper[c]<a;)c++;let h=.5*(i.times[c]-i.times[l]);return h>0?{from:Math.max(i.times[l]-h,r.from),to:Math.min(i.times[c]+h,r.to),top:a}:{...r,top:a}}function yf(i){return t=>getComputedStyle(i).getPropertyValue(t).trim()}function ec(i){return{stroke:()=>i("--muted"),grid:{stroke:()=>i("--line"),width:1},ticks:{show:!1},font:"11px system-ui, sans-serif"}}function yS(i,t,e,n,s){let{curve:r}=t,{from:o,to:a,top:l}=vS(t,e,s),c=l<.0995?1e3:1,h=p=>Array.from(p,g=>Number.isFinite(g)?Math.max(g,0)*c:null),f=[...h(r.lower_between)];f.push(f.at(-1)??0);let u=yf(i),d=ec(u),m={points:{show:!1},width:1.5,stroke:()=>u("--accent")},_=new hn({...wa(i),padding:[8,22,0,0],legend:{show:!1},cursor:{drag:{x:!1,y:!1},y:!1,points:{show:!1}},scales:{x:{time:!1,range:()=>[o,a]},y:{range:[0,l*c*1.08]}},axes:[{...d,size:28,space:60,values:(p,g)=>g.map(v=>Oe(v))},{...d,size:(p,g)=>Math.max(52,16+7*Math.max(0,...(g??[]).map(v=>v.length))),space:30,values:(p,g)=>g.map(v=>`${Number(v.toPrecision(6))} ${c===1e3?"mm":"m"}`)}],series:[{},{...m,label:"upper"},{...m,label:"lower"},{label:"floor",points:{show:!1},width:1,stroke:()=>u("--floor"),fill:()=>u("--floor-fill"),paths:hn.paths.stepped({align:1})}],bands:[{series:[1,2],fill:()=>u("--band")}],hooks:{drawAxes:[p=>SS(p,t,e,u)],draw:[p=>MS(p,t,c,n.values.time,u)]}},[Array.from(r.times),h(r.upper),h(r.lower),f],i);return Sf(_,n,e),_}function SS(i,t,e,n){let{ctx:s,bbox:r}=i,o=(a,l,c)=>{let[h,f]=[a,l].map(u=>i.valToPos(u,"x",!0));s.fillStyle=c,s.fillRect(h,r.top,Math.max(f-h,2*devicePixelRatio),r.height)};s.save(),s.beginPath(),s.rect(r.left,r.top,r.width,r.height),s.clip();for(let a of zi(t,e)){let l=t.isAll?[a].filter(({event:c})=>c==="contact"):is(t,a,e);l[0]!==a&&o(a.from,a.known?a.to:a.from,n("--open-fill"));for(let{from:c,to:h}of l)o(c,a.known?h:c,n("--hit-fill"))}if(t.verdict==="UNDECIDED"&&o(t.t_lo,t.t_hi,n("--open-fill")),!t.isAll)for(let{from:a,to:l}of Ks(t,e))o(a,l,n("--skip-fill"));s.restore()}function MS(i,t,e,n,s){let{ctx:r,bbox:o}=i,a=devicePixelRatio,l=(f,u,d,m=[])=>{let _=Math.round(i.valToPos(f,"x",!0));tc(r,u,d*a,m,[_,o.top],[_,o.top+o.height])},c=(f,u,d)=>{r.beginPath(),r.arc(i.valToPos(f,"x",!0),i.valToPos(u*e,"y",!0),4*a,0,7),r.fillStyle=d,r.fill()};if(r.save(),r.beginPath(),r.rect(o.left-5*a,o.top,o.width+10*a,o.height+5*a),r.clip(),t.margin>0){let f=Math.round(i.valToPos(t.margin*e,"y",!0));tc(r,s("--open"),1.5*a,[6*a,4*a],[o.left,f],[o.left+o.width,f])}for(let{time:f,event:u}of t.contacts)l(f,s(u==="too close"||!t.isAll&&t.margin>0?"--open":"--hit"),1.5);t.clearance_time!=null&&t.verdict!=="COLLIDING"&&c(t.clearance_time,Math.max(t.clearance_upper,0),s("--accent")),l(n,s("--text"),1.5);let h=Ql(t.curve,n);h&&c(n,Math.max(h.upper,0),s("--text")),r.restore()}function tc(i,t,e,n,s,r){i.beginPath(),i.setLineDash(n),i.lineWidth=e,i.strokeStyle=t,i.moveTo(...s),i.lineTo(...r),i.stroke()}function Sf(i,t,{t0:e,t1:n}){let{over:s}=i,r=o=>{let a=o.clientX-s.getBoundingClientRect().left,l=i.posToVal(a,"x");t.set({playing:!1,time:Math.min(Math.max(l,e),n)})};s.addEventListener("pointerdown",o=>{o.button===0&&(s.setPointerCapture(o.pointerId),r(o))}),s.addEventListener("pointermove",o=>o.buttons&1&&r(o))}function wg(i,t,e){let{curve:n}=t,s=(n.t1-n.t0)/n.contacts.length,r=n.per_second?t.words.plot:`${t.words.plot}, in each ${Oe(s,2)}`,o=b("p",{class:"now"}),a=b("div",{class:"plot",role:"img","aria-label":`${r} over time`}),l=b("p",{class:"legend"},b("span",{},b("i",{class:"floor"}),t.words.members),n.walls.some(u=>u>0)&&b("span",{},b("i",{class:"walls"}),t.words.walls));i.append(b("div",{class:"bar"},b("h2",{},r),o),a,l);let c=null,h=()=>{c?.destroy(),c=bS(a,n,e)},f=({time:u})=>{let d=Math.floor((u-n.t0)/(n.t1-n.t0)*n.contacts.length),m=n.contacts[Math.min(Math.max(d,0),n.contacts.length-1)]??0,_=ts(u,n.t1-n.t0);Jt(o,`${Math.round(m).toLocaleString("en")} ${n.per_second?"per second ":""}at ${_}`),c?.redraw(!1)};h(),f(e.values),e.listen((u,d)=>d.has("time")&&f(u)),new ResizeObserver(()=>c?.setSize(wa(a))).observe(a),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",h)}function bS(i,t,e){let n=t.contacts.length,s=Array.from({length:n+1},(h,f)=>t.t0+(t.t1-t.t0)*f/n),r=h=>[...h,h[n-1]],o=Math.max(...t.contacts,...t.walls,1),a=yf(i),l={points:{show:!1},width:1.5,paths:hn.paths.stepped({align:1})},c=new hn({...wa(i),padding:[8,22,0,0],legend:{show:!1},cursor:{drag:{x:!1,y:!1},y:!1,points:{show:!1}},scales:{x:{time:!1,range:()=>[t.t0,t.t1]},y:{range:[0,1.08*o]}},axes:[{...ec(a),size:28,space:60,values:(h,f)=>f.map(u=>Oe(u))},{...ec(a),size:58,space:28,incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,2e4,5e4,1e5,2e5,5e5,1e6,1e7,1e8],values:(h,f)=>f.map(u=>`${u.toLocaleString("en")}${t.per_second?" /s":""}`)}],series:[{},{...l,stroke:()=>a("--accent"),fill:()=>a("--floor-fill")},{...l,stroke:()=>a("--muted")}],hooks:{draw:[({ctx:h,bbox:f,valToPos:u})=>{let d=Math.round(u(e.values.time,"x",!0));h.save(),tc(h,a("--text"),1.5*devicePixelRatio,[],[d,f.top],[d,f.top+f.height]),h.restore()}]}},[s,r(t.contacts),r(t.walls)],i);return Sf(c,e,t),c}var us={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},fs={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},h0=0,sd=1,u0=2;var kr=1,f0=2,$o=3,hr=0,zn=1,ri=2,zr=0,Yo=1,rd=2,od=3,ad=4,d0=5;var Vr=100,p0=101,m0=102,g0=103,_0=104,x0=200,v0=201,y0=202,S0=203,ld=204,cd=205,M0=206,b0=207,w0=208,T0=209,E0=210,A0=211,C0=212,R0=213,P0=214,Fc=0,Bc=1,kc=2,Uo=3,zc=4,Vc=5,Gc=6,Hc=7,mh=0,I0=1,L0=2,ds=0,hd=1,ud=2,fd=3,dd=4,pd=5,md=6,gd=7;var _d=300,Gr=301,Zo=302,gh=303,_h=304,Wc=1e3,as=1001,Xc=1002,Fn=1003,D0=1004;var cl=1005;var ni=1006,xh=1007;var ks=1008;var ci=1009,xd=1010,vd=1011,Jo=1012,vh=1013,Di=1014,li=1015,qi=1016,yh=1017,Sh=1018,Hr=1020,yd=35902,Sd=35899,Md=1021,bd=1022,Mi=1023,Is=1026,zs=1027,Mh=1028,hl=1029,ur=1030,bh=1031;var wh=1033,ul=33776,fl=33777,dl=33778,pl=33779,Th=35840,Eh=35841,Ah=35842,Ch=35843,Rh=36196,Ph=37492,Ih=37496,Lh=37488,Dh=37489,ml=37490,Nh=37491,Oh=37808,Uh=37809,Fh=37810,Bh=37811,kh=37812,zh=37813,Vh=37814,Gh=37815,Hh=37816,Wh=37817,Xh=37818,qh=37819,$h=37820,Yh=37821,Zh=36492,Jh=36494,Kh=36495,jh=36283,Qh=36284,gl=36285,tu=36286;var Fa=2300,qc=2301,Oc=2302,Yf=2303,Zf=2400,Jf=2401,Kf=2402;var N0=3200;var _l=0,O0=1,Vs="",kn="srgb",Ba="srgb-linear",ka="linear",Pe="srgb";var Uc=7680;var U0=519,F0=512,B0=513,k0=514,wd=515,z0=516,V0=517,Td=518,Ed=519,Ad=35044;var Cd="300 es",Ii=2e3,Fo=2001;function wS(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function TS(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function za(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function G0(){let i=za("canvas");return i.style.display="block",i}var Tg={},Bo=null;function Va(...i){let t="THREE."+i.shift();Bo?Bo("log",t,...i):console.log(t,...i)}function H0(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Yt(...i){i=H0(i);let t="THREE."+i.shift();if(Bo)Bo("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function jt(...i){i=H0(i);let t="THREE."+i.shift();if(Bo)Bo("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function Oa(...i){let t=i.join(" ");t in Tg||(Tg[t]=!0,Yt(...i))}function W0(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var X0={[Fc]:Fc,[kc]:Gc,[zc]:zc,[Uo]:Vc,[Bc]:Bc,[Gc]:kc,[Hc]:Hc,[Vc]:Uo},Wi=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},Hn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Eg=1234567,No=Math.PI/180,ko=180/Math.PI;function fr(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Hn[i&255]+Hn[i>>8&255]+Hn[i>>16&255]+Hn[i>>24&255]+"-"+Hn[t&255]+Hn[t>>8&255]+"-"+Hn[t>>16&15|64]+Hn[t>>24&255]+"-"+Hn[e&63|128]+Hn[e>>8&255]+"-"+Hn[e>>16&255]+Hn[e>>24&255]+Hn[n&255]+Hn[n>>8&255]+Hn[n>>16&255]+Hn[n>>24&255]).toLowerCase()}function pe(i,t,e){return Math.max(t,Math.min(e,i))}function Rd(i,t){return(i%t+t)%t}function ES(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function AS(i,t,e){return i!==t?(e-i)/(t-i):0}function Ua(i,t,e){return(1-e)*i+e*t}function CS(i,t,e,n){return Ua(i,t,1-Math.exp(-e*n))}function RS(i,t=1){return t-Math.abs(Rd(i,t*2)-t)}function PS(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function IS(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function LS(i,t){return i+Math.floor(Math.random()*(t-i+1))}function DS(i,t){return i+Math.random()*(t-i)}function NS(i){return i*(.5-Math.random())}function OS(i){i!==void 0&&(Eg=i);let t=Eg+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function US(i){return i*No}function FS(i){return i*ko}function BS(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function kS(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function Pd(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function zS(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+n)/2),h=o((t+n)/2),f=r((t-n)/2),u=o((t-n)/2),d=r((n-t)/2),m=o((n-t)/2);switch(s){case"XYX":i.set(a*h,l*f,l*u,a*c);break;case"YZY":i.set(l*u,a*h,l*f,a*c);break;case"ZXZ":i.set(l*f,l*u,a*h,a*c);break;case"XZX":i.set(a*h,l*m,l*d,a*c);break;case"YXY":i.set(l*d,a*h,l*m,a*c);break;case"ZYZ":i.set(l*m,l*d,a*h,a*c);break;default:Yt("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function eu(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Id(i,t){if(t.constructor===Float32Array)return i;let e=eu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function Ld(i,t){if(t.constructor===Float32Array)return i;let e=eu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var Dd={DEG2RAD:No,RAD2DEG:ko,generateUUID:fr,clamp:pe,euclideanModulo:Rd,mapLinear:ES,inverseLerp:AS,lerp:Ua,damp:CS,pingpong:RS,smoothstep:PS,smootherstep:IS,randInt:LS,randFloat:DS,randFloatSpread:NS,seededRandom:OS,degToRad:US,radToDeg:FS,isPowerOfTwo:BS,ceilPowerOfTwo:kS,floorPowerOfTwo:Pd,setQuaternionFromProperEuler:zS,normalize:Ld,denormalize:Id},Vt=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(pe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},qn=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],f=n[s+3],u=r[o+0],d=r[o+1],m=r[o+2],_=r[o+3];if(f!==_||l!==u||c!==d||h!==m){let p=l*u+c*d+h*m+f*_;p<0&&(u=-u,d=-d,m=-m,_=-_,p=-p);let g=1-a;if(p<.9995){let v=Math.acos(p),A=Math.sin(v);g=Math.sin(g*v)/A,a=Math.sin(a*v)/A,l=l*g+u*a,c=c*g+d*a,h=h*g+m*a,f=f*g+_*a}else{l=l*g+u*a,c=c*g+d*a,h=h*g+m*a,f=f*g+_*a;let v=1/Math.sqrt(l*l+c*c+h*h+f*f);l*=v,c*=v,h*=v,f*=v}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=f}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],f=r[o],u=r[o+1],d=r[o+2],m=r[o+3];return t[e]=a*m+h*f+l*d-c*u,t[e+1]=l*m+h*u+c*f-a*d,t[e+2]=c*m+h*d+a*u-l*f,t[e+3]=h*m-a*f-l*u-c*d,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),f=a(r/2),u=l(n/2),d=l(s/2),m=l(r/2);switch(o){case"XYZ":this._x=u*h*f+c*d*m,this._y=c*d*f-u*h*m,this._z=c*h*m+u*d*f,this._w=c*h*f-u*d*m;break;case"YXZ":this._x=u*h*f+c*d*m,this._y=c*d*f-u*h*m,this._z=c*h*m-u*d*f,this._w=c*h*f+u*d*m;break;case"ZXY":this._x=u*h*f-c*d*m,this._y=c*d*f+u*h*m,this._z=c*h*m+u*d*f,this._w=c*h*f-u*d*m;break;case"ZYX":this._x=u*h*f-c*d*m,this._y=c*d*f+u*h*m,this._z=c*h*m-u*d*f,this._w=c*h*f+u*d*m;break;case"YZX":this._x=u*h*f+c*d*m,this._y=c*d*f+u*h*m,this._z=c*h*m-u*d*f,this._w=c*h*f-u*d*m;break;case"XZY":this._x=u*h*f-c*d*m,this._y=c*d*f-u*h*m,this._z=c*h*m+u*d*f,this._w=c*h*f+u*d*m;break;default:Yt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],f=e[10],u=n+a+f;if(u>0){let d=.5/Math.sqrt(u+1);this._w=.25/d,this._x=(h-l)*d,this._y=(r-c)*d,this._z=(o-s)*d}else if(n>a&&n>f){let d=2*Math.sqrt(1+n-a-f);this._w=(h-l)/d,this._x=.25*d,this._y=(s+o)/d,this._z=(r+c)/d}else if(a>f){let d=2*Math.sqrt(1+a-n-f);this._w=(r-c)/d,this._x=(s+o)/d,this._y=.25*d,this._z=(l+h)/d}else{let d=2*Math.sqrt(1+f-n-a);this._w=(o-s)/d,this._x=(r+c)/d,this._y=(l+h)/d,this._z=.25*d}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(pe(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},U=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(Ag.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(Ag.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),f=2*(r*n-o*e);return this.x=e+l*c+o*f-a*h,this.y=n+l*h+a*c-r*f,this.z=s+l*f+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this.z=pe(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this.z=pe(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Mf.copy(this).projectOnVector(t),this.sub(Mf)}reflect(t){return this.sub(Mf.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(pe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Mf=new U,Ag=new qn,ne=class{static{this.prototype.isMatrix3=!0}constructor(t,e,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],f=n[7],u=n[2],d=n[5],m=n[8],_=s[0],p=s[3],g=s[6],v=s[1],A=s[4],S=s[7],R=s[2],C=s[5],x=s[8];return r[0]=o*_+a*v+l*R,r[3]=o*p+a*A+l*C,r[6]=o*g+a*S+l*x,r[1]=c*_+h*v+f*R,r[4]=c*p+h*A+f*C,r[7]=c*g+h*S+f*x,r[2]=u*_+d*v+m*R,r[5]=u*p+d*A+m*C,r[8]=u*g+d*S+m*x,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],f=h*o-a*c,u=a*l-h*r,d=c*r-o*l,m=e*f+n*u+s*d;if(m===0)return this.set(0,0,0,0,0,0,0,0,0);let _=1/m;return t[0]=f*_,t[1]=(s*c-h*n)*_,t[2]=(a*n-s*o)*_,t[3]=u*_,t[4]=(h*e-s*l)*_,t[5]=(s*r-a*e)*_,t[6]=d*_,t[7]=(n*l-c*e)*_,t[8]=(o*e-n*r)*_,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return Oa("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(bf.makeScale(t,e)),this}rotate(t){return Oa("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(bf.makeRotation(-t)),this}translate(t,e){return Oa("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(bf.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},bf=new ne,Cg=new ne().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Rg=new ne().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function VS(){let i={enabled:!0,workingColorSpace:Ba,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Pe&&(s.r=Ps(s.r),s.g=Ps(s.g),s.b=Ps(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Pe&&(s.r=Oo(s.r),s.g=Oo(s.g),s.b=Oo(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Vs?ka:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Ba]:{primaries:t,whitePoint:n,transfer:ka,toXYZ:Cg,fromXYZ:Rg,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:kn},outputColorSpaceConfig:{drawingBufferColorSpace:kn}},[kn]:{primaries:t,whitePoint:n,transfer:Pe,toXYZ:Cg,fromXYZ:Rg,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:kn}}}),i}var _e=VS();function Ps(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Oo(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var go,$c=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{go===void 0&&(go=za("canvas")),go.width=t.width,go.height=t.height;let s=go.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=go}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=za("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Ps(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(Ps(e[n]/255)*255):e[n]=Ps(e[n]);return{data:e,width:t.width,height:t.height}}else return Yt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},GS=0,zo=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:GS++}),this.uuid=fr(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(wf(s[o].image)):r.push(wf(s[o]))}else r=wf(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function wf(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?$c.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Yt("Texture: Unable to serialize Texture."),{})}var HS=0,Tf=new U,ii=class i extends Wi{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=as,s=as,r=ni,o=ks,a=Mi,l=ci,c=i.DEFAULT_ANISOTROPY,h=Vs){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:HS++}),this.uuid=fr(),this.name="",this.source=new zo(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new Vt(0,0),this.repeat=new Vt(1,1),this.center=new Vt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ne,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Tf).x}get height(){return this.source.getSize(Tf).y}get depth(){return this.source.getSize(Tf).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){Yt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Yt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==_d)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Wc:t.x=t.x-Math.floor(t.x);break;case as:t.x=t.x<0?0:1;break;case Xc:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Wc:t.y=t.y-Math.floor(t.y);break;case as:t.y=t.y<0?0:1;break;case Xc:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};ii.DEFAULT_IMAGE=null;ii.DEFAULT_MAPPING=_d;ii.DEFAULT_ANISOTROPY=1;var Qe=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],f=l[8],u=l[1],d=l[5],m=l[9],_=l[2],p=l[6],g=l[10];if(Math.abs(h-u)<.01&&Math.abs(f-_)<.01&&Math.abs(m-p)<.01){if(Math.abs(h+u)<.1&&Math.abs(f+_)<.1&&Math.abs(m+p)<.1&&Math.abs(c+d+g-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let A=(c+1)/2,S=(d+1)/2,R=(g+1)/2,C=(h+u)/4,x=(f+_)/4,w=(m+p)/4;return A>S&&A>R?A<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(A),s=C/n,r=x/n):S>R?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=C/s,r=w/s):R<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(R),n=x/r,s=w/r),this.set(n,s,r,e),this}let v=Math.sqrt((p-m)*(p-m)+(f-_)*(f-_)+(u-h)*(u-h));return Math.abs(v)<.001&&(v=1),this.x=(p-m)/v,this.y=(f-_)/v,this.z=(u-h)/v,this.w=Math.acos((c+d+g-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=pe(this.x,t.x,e.x),this.y=pe(this.y,t.y,e.y),this.z=pe(this.z,t.z,e.z),this.w=pe(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=pe(this.x,t,e),this.y=pe(this.y,t,e),this.z=pe(this.z,t,e),this.w=pe(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(pe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Yc=class extends Wi{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:ni,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Qe(0,0,t,e),this.scissorTest=!1,this.viewport=new Qe(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new ii({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:ni,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new zo(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},bi=class extends Yc{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},Ga=class extends ii{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Fn,this.minFilter=Fn,this.wrapR=as,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Zc=class extends ii{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Fn,this.minFilter=Fn,this.wrapR=as,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var ye=class i{static{this.prototype.isMatrix4=!0}constructor(t,e,n,s,r,o,a,l,c,h,f,u,d,m,_,p){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,f,u,d,m,_,p)}set(t,e,n,s,r,o,a,l,c,h,f,u,d,m,_,p){let g=this.elements;return g[0]=t,g[4]=e,g[8]=n,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=l,g[2]=c,g[6]=h,g[10]=f,g[14]=u,g[3]=d,g[7]=m,g[11]=_,g[15]=p,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/_o.setFromMatrixColumn(t,0).length(),r=1/_o.setFromMatrixColumn(t,1).length(),o=1/_o.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),f=Math.sin(r);if(t.order==="XYZ"){let u=o*h,d=o*f,m=a*h,_=a*f;e[0]=l*h,e[4]=-l*f,e[8]=c,e[1]=d+m*c,e[5]=u-_*c,e[9]=-a*l,e[2]=_-u*c,e[6]=m+d*c,e[10]=o*l}else if(t.order==="YXZ"){let u=l*h,d=l*f,m=c*h,_=c*f;e[0]=u+_*a,e[4]=m*a-d,e[8]=o*c,e[1]=o*f,e[5]=o*h,e[9]=-a,e[2]=d*a-m,e[6]=_+u*a,e[10]=o*l}else if(t.order==="ZXY"){let u=l*h,d=l*f,m=c*h,_=c*f;e[0]=u-_*a,e[4]=-o*f,e[8]=m+d*a,e[1]=d+m*a,e[5]=o*h,e[9]=_-u*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let u=o*h,d=o*f,m=a*h,_=a*f;e[0]=l*h,e[4]=m*c-d,e[8]=u*c+_,e[1]=l*f,e[5]=_*c+u,e[9]=d*c-m,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let u=o*l,d=o*c,m=a*l,_=a*c;e[0]=l*h,e[4]=_-u*f,e[8]=m*f+d,e[1]=f,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=d*f+m,e[10]=u-_*f}else if(t.order==="XZY"){let u=o*l,d=o*c,m=a*l,_=a*c;e[0]=l*h,e[4]=-f,e[8]=c*h,e[1]=u*f+_,e[5]=o*h,e[9]=d*f-m,e[2]=m*f-d,e[6]=a*h,e[10]=_*f+u}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(WS,t,XS)}lookAt(t,e,n){let s=this.elements;return vi.subVectors(t,e),vi.lengthSq()===0&&(vi.z=1),vi.normalize(),Qs.crossVectors(n,vi),Qs.lengthSq()===0&&(Math.abs(n.z)===1?vi.x+=1e-4:vi.z+=1e-4,vi.normalize(),Qs.crossVectors(n,vi)),Qs.normalize(),nc.crossVectors(vi,Qs),s[0]=Qs.x,s[4]=nc.x,s[8]=vi.x,s[1]=Qs.y,s[5]=nc.y,s[9]=vi.y,s[2]=Qs.z,s[6]=nc.z,s[10]=vi.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],f=n[5],u=n[9],d=n[13],m=n[2],_=n[6],p=n[10],g=n[14],v=n[3],A=n[7],S=n[11],R=n[15],C=s[0],x=s[4],w=s[8],F=s[12],L=s[1],D=s[5],V=s[9],W=s[13],O=s[2],X=s[6],Y=s[10],H=s[14],ct=s[3],K=s[7],Q=s[11],st=s[15];return r[0]=o*C+a*L+l*O+c*ct,r[4]=o*x+a*D+l*X+c*K,r[8]=o*w+a*V+l*Y+c*Q,r[12]=o*F+a*W+l*H+c*st,r[1]=h*C+f*L+u*O+d*ct,r[5]=h*x+f*D+u*X+d*K,r[9]=h*w+f*V+u*Y+d*Q,r[13]=h*F+f*W+u*H+d*st,r[2]=m*C+_*L+p*O+g*ct,r[6]=m*x+_*D+p*X+g*K,r[10]=m*w+_*V+p*Y+g*Q,r[14]=m*F+_*W+p*H+g*st,r[3]=v*C+A*L+S*O+R*ct,r[7]=v*x+A*D+S*X+R*K,r[11]=v*w+A*V+S*Y+R*Q,r[15]=v*F+A*W+S*H+R*st,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],f=t[6],u=t[10],d=t[14],m=t[3],_=t[7],p=t[11],g=t[15],v=l*d-c*u,A=a*d-c*f,S=a*u-l*f,R=o*d-c*h,C=o*u-l*h,x=o*f-a*h;return e*(_*v-p*A+g*S)-n*(m*v-p*R+g*C)+s*(m*A-_*R+g*x)-r*(m*S-_*C+p*x)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],f=t[9],u=t[10],d=t[11],m=t[12],_=t[13],p=t[14],g=t[15],v=e*a-n*o,A=e*l-s*o,S=e*c-r*o,R=n*l-s*a,C=n*c-r*a,x=s*c-r*l,w=h*_-f*m,F=h*p-u*m,L=h*g-d*m,D=f*p-u*_,V=f*g-d*_,W=u*g-d*p,O=v*W-A*V+S*D+R*L-C*F+x*w;if(O===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let X=1/O;return t[0]=(a*W-l*V+c*D)*X,t[1]=(s*V-n*W-r*D)*X,t[2]=(_*x-p*C+g*R)*X,t[3]=(u*C-f*x-d*R)*X,t[4]=(l*L-o*W-c*F)*X,t[5]=(e*W-s*L+r*F)*X,t[6]=(p*S-m*x-g*A)*X,t[7]=(h*x-u*S+d*A)*X,t[8]=(o*V-a*L+c*w)*X,t[9]=(n*L-e*V-r*w)*X,t[10]=(m*C-_*S+g*v)*X,t[11]=(f*S-h*C-d*v)*X,t[12]=(a*F-o*D-l*w)*X,t[13]=(e*D-n*F+s*w)*X,t[14]=(_*A-m*R-p*v)*X,t[15]=(h*R-f*A+u*v)*X,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,f=a+a,u=r*c,d=r*h,m=r*f,_=o*h,p=o*f,g=a*f,v=l*c,A=l*h,S=l*f,R=n.x,C=n.y,x=n.z;return s[0]=(1-(_+g))*R,s[1]=(d+S)*R,s[2]=(m-A)*R,s[3]=0,s[4]=(d-S)*C,s[5]=(1-(u+g))*C,s[6]=(p+v)*C,s[7]=0,s[8]=(m+A)*x,s[9]=(p-v)*x,s[10]=(1-(u+_))*x,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=_o.set(s[0],s[1],s[2]).length(),a=_o.set(s[4],s[5],s[6]).length(),l=_o.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Vi.copy(this);let c=1/o,h=1/a,f=1/l;return Vi.elements[0]*=c,Vi.elements[1]*=c,Vi.elements[2]*=c,Vi.elements[4]*=h,Vi.elements[5]*=h,Vi.elements[6]*=h,Vi.elements[8]*=f,Vi.elements[9]*=f,Vi.elements[10]*=f,e.setFromRotationMatrix(Vi),n.x=o,n.y=a,n.z=l,this}makePerspective(t,e,n,s,r,o,a=Ii,l=!1){let c=this.elements,h=2*r/(e-t),f=2*r/(n-s),u=(e+t)/(e-t),d=(n+s)/(n-s),m,_;if(l)m=r/(o-r),_=o*r/(o-r);else if(a===Ii)m=-(o+r)/(o-r),_=-2*o*r/(o-r);else if(a===Fo)m=-o/(o-r),_=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=u,c[12]=0,c[1]=0,c[5]=f,c[9]=d,c[13]=0,c[2]=0,c[6]=0,c[10]=m,c[14]=_,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=Ii,l=!1){let c=this.elements,h=2/(e-t),f=2/(n-s),u=-(e+t)/(e-t),d=-(n+s)/(n-s),m,_;if(l)m=1/(o-r),_=o/(o-r);else if(a===Ii)m=-2/(o-r),_=-(o+r)/(o-r);else if(a===Fo)m=-1/(o-r),_=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=u,c[1]=0,c[5]=f,c[9]=0,c[13]=d,c[2]=0,c[6]=0,c[10]=m,c[14]=_,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},_o=new U,Vi=new ye,WS=new U(0,0,0),XS=new U(1,1,1),Qs=new U,nc=new U,vi=new U,Pg=new ye,Ig=new qn,ls=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],f=s[2],u=s[6],d=s[10];switch(e){case"XYZ":this._y=Math.asin(pe(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,d),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(u,c),this._z=0);break;case"YXZ":this._x=Math.asin(-pe(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,d),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-f,r),this._z=0);break;case"ZXY":this._x=Math.asin(pe(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(-f,d),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-pe(f,-1,1)),Math.abs(f)<.9999999?(this._x=Math.atan2(u,d),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(pe(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-f,r)):(this._x=0,this._y=Math.atan2(a,d));break;case"XZY":this._z=Math.asin(-pe(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(u,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,d),this._y=0);break;default:Yt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return Pg.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Pg,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return Ig.setFromEuler(this),this.setFromQuaternion(Ig,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};ls.DEFAULT_ORDER="XYZ";var Vo=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},qS=0,Lg=new U,xo=new qn,Ts=new ye,ic=new U,Ta=new U,$S=new U,YS=new qn,Dg=new U(1,0,0),Ng=new U(0,1,0),Og=new U(0,0,1),Ug={type:"added"},ZS={type:"removed"},vo={type:"childadded",child:null},Ef={type:"childremoved",child:null},En=class i extends Wi{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:qS++}),this.uuid=fr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new U,e=new ls,n=new qn,s=new U(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new ye},normalMatrix:{value:new ne}}),this.matrix=new ye,this.matrixWorld=new ye,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Vo,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return xo.setFromAxisAngle(t,e),this.quaternion.multiply(xo),this}rotateOnWorldAxis(t,e){return xo.setFromAxisAngle(t,e),this.quaternion.premultiply(xo),this}rotateX(t){return this.rotateOnAxis(Dg,t)}rotateY(t){return this.rotateOnAxis(Ng,t)}rotateZ(t){return this.rotateOnAxis(Og,t)}translateOnAxis(t,e){return Lg.copy(t).applyQuaternion(this.quaternion),this.position.add(Lg.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(Dg,t)}translateY(t){return this.translateOnAxis(Ng,t)}translateZ(t){return this.translateOnAxis(Og,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(Ts.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?ic.copy(t):ic.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Ta.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Ts.lookAt(Ta,ic,this.up):Ts.lookAt(ic,Ta,this.up),this.quaternion.setFromRotationMatrix(Ts),s&&(Ts.extractRotation(s.matrixWorld),xo.setFromRotationMatrix(Ts),this.quaternion.premultiply(xo.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(jt("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Ug),vo.child=t,this.dispatchEvent(vo),vo.child=null):jt("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(ZS),Ef.child=t,this.dispatchEvent(Ef),Ef.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),Ts.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),Ts.multiply(t.parent.matrixWorld)),t.applyMatrix4(Ts),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Ug),vo.child=t,this.dispatchEvent(vo),vo.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ta,t,$S),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ta,YS,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let f=l[c];r(t.shapes,f)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),f=o(t.shapes),u=o(t.skeletons),d=o(t.animations),m=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),f.length>0&&(n.shapes=f),u.length>0&&(n.skeletons=u),d.length>0&&(n.animations=d),m.length>0&&(n.nodes=m)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};En.DEFAULT_UP=new U(0,1,0);En.DEFAULT_MATRIX_AUTO_UPDATE=!0;En.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var He=class extends En{constructor(){super(),this.isGroup=!0,this.type="Group"}},JS={type:"move"},Go=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new He,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new He,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new U,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new U),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new He,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new U,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new U,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let _ of t.hand.values()){let p=e.getJointPose(_,n),g=this._getHandJoint(c,_);p!==null&&(g.matrix.fromArray(p.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=p.radius),g.visible=p!==null}let h=c.joints["index-finger-tip"],f=c.joints["thumb-tip"],u=h.position.distanceTo(f.position),d=.02,m=.005;c.inputState.pinching&&u>d+m?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&u<=d-m&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(JS)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new He;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},q0={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},tr={h:0,s:0,l:0},sc={h:0,s:0,l:0};function Af(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var zt=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=kn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,_e.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=_e.workingColorSpace){return this.r=t,this.g=e,this.b=n,_e.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=_e.workingColorSpace){if(t=Rd(t,1),e=pe(e,0,1),n=pe(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=Af(o,r,t+1/3),this.g=Af(o,r,t),this.b=Af(o,r,t-1/3)}return _e.colorSpaceToWorking(this,s),this}setStyle(t,e=kn){function n(r){r!==void 0&&parseFloat(r)<1&&Yt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Yt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Yt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=kn){let n=q0[t.toLowerCase()];return n!==void 0?this.setHex(n,e):Yt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Ps(t.r),this.g=Ps(t.g),this.b=Ps(t.b),this}copyLinearToSRGB(t){return this.r=Oo(t.r),this.g=Oo(t.g),this.b=Oo(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=kn){return _e.workingToColorSpace(Wn.copy(this),t),Math.round(pe(Wn.r*255,0,255))*65536+Math.round(pe(Wn.g*255,0,255))*256+Math.round(pe(Wn.b*255,0,255))}getHexString(t=kn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=_e.workingColorSpace){_e.workingToColorSpace(Wn.copy(this),e);let n=Wn.r,s=Wn.g,r=Wn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let f=o-a;switch(c=h<=.5?f/(o+a):f/(2-o-a),o){case n:l=(s-r)/f+(s<r?6:0);break;case s:l=(r-n)/f+2;break;case r:l=(n-s)/f+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=_e.workingColorSpace){return _e.workingToColorSpace(Wn.copy(this),e),t.r=Wn.r,t.g=Wn.g,t.b=Wn.b,t}getStyle(t=kn){_e.workingToColorSpace(Wn.copy(this),t);let e=Wn.r,n=Wn.g,s=Wn.b;return t!==kn?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(tr),this.setHSL(tr.h+t,tr.s+e,tr.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(tr),t.getHSL(sc);let n=Ua(tr.h,sc.h,e),s=Ua(tr.s,sc.s,e),r=Ua(tr.l,sc.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Wn=new zt;zt.NAMES=q0;var Xi=class extends En{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new ls,this.environmentIntensity=1,this.environmentRotation=new ls,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Gi=new U,Es=new U,Cf=new U,As=new U,yo=new U,So=new U,Fg=new U,Rf=new U,Pf=new U,If=new U,Lf=new Qe,Df=new Qe,Nf=new Qe,os=class i{constructor(t=new U,e=new U,n=new U){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Gi.subVectors(t,e),s.cross(Gi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Gi.subVectors(s,e),Es.subVectors(n,e),Cf.subVectors(t,e);let o=Gi.dot(Gi),a=Gi.dot(Es),l=Gi.dot(Cf),c=Es.dot(Es),h=Es.dot(Cf),f=o*c-a*a;if(f===0)return r.set(0,0,0),null;let u=1/f,d=(c*l-a*h)*u,m=(o*h-a*l)*u;return r.set(1-d-m,m,d)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,As)===null?!1:As.x>=0&&As.y>=0&&As.x+As.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,As)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,As.x),l.addScaledVector(o,As.y),l.addScaledVector(a,As.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return Lf.setScalar(0),Df.setScalar(0),Nf.setScalar(0),Lf.fromBufferAttribute(t,e),Df.fromBufferAttribute(t,n),Nf.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(Lf,r.x),o.addScaledVector(Df,r.y),o.addScaledVector(Nf,r.z),o}static isFrontFacing(t,e,n,s){return Gi.subVectors(n,e),Es.subVectors(t,e),Gi.cross(Es).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Gi.subVectors(this.c,this.b),Es.subVectors(this.a,this.b),Gi.cross(Es).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;yo.subVectors(s,n),So.subVectors(r,n),Rf.subVectors(t,n);let l=yo.dot(Rf),c=So.dot(Rf);if(l<=0&&c<=0)return e.copy(n);Pf.subVectors(t,s);let h=yo.dot(Pf),f=So.dot(Pf);if(h>=0&&f<=h)return e.copy(s);let u=l*f-h*c;if(u<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(n).addScaledVector(yo,o);If.subVectors(t,r);let d=yo.dot(If),m=So.dot(If);if(m>=0&&d<=m)return e.copy(r);let _=d*c-l*m;if(_<=0&&c>=0&&m<=0)return a=c/(c-m),e.copy(n).addScaledVector(So,a);let p=h*m-d*f;if(p<=0&&f-h>=0&&d-m>=0)return Fg.subVectors(r,s),a=(f-h)/(f-h+(d-m)),e.copy(s).addScaledVector(Fg,a);let g=1/(p+_+u);return o=_*g,a=u*g,e.copy(n).addScaledVector(yo,o).addScaledVector(So,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},en=class{constructor(t=new U(1/0,1/0,1/0),e=new U(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Hi.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Hi.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Hi.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Hi):Hi.fromBufferAttribute(r,o),Hi.applyMatrix4(t.matrixWorld),this.expandByPoint(Hi);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),rc.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),rc.copy(n.boundingBox)),rc.applyMatrix4(t.matrixWorld),this.union(rc)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Hi),Hi.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Ea),oc.subVectors(this.max,Ea),Mo.subVectors(t.a,Ea),bo.subVectors(t.b,Ea),wo.subVectors(t.c,Ea),er.subVectors(bo,Mo),nr.subVectors(wo,bo),Cr.subVectors(Mo,wo);let e=[0,-er.z,er.y,0,-nr.z,nr.y,0,-Cr.z,Cr.y,er.z,0,-er.x,nr.z,0,-nr.x,Cr.z,0,-Cr.x,-er.y,er.x,0,-nr.y,nr.x,0,-Cr.y,Cr.x,0];return!Of(e,Mo,bo,wo,oc)||(e=[1,0,0,0,1,0,0,0,1],!Of(e,Mo,bo,wo,oc))?!1:(ac.crossVectors(er,nr),e=[ac.x,ac.y,ac.z],Of(e,Mo,bo,wo,oc))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Hi).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Hi).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Cs[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Cs[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Cs[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Cs[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Cs[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Cs[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Cs[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Cs[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Cs),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},Cs=[new U,new U,new U,new U,new U,new U,new U,new U],Hi=new U,rc=new en,Mo=new U,bo=new U,wo=new U,er=new U,nr=new U,Cr=new U,Ea=new U,oc=new U,ac=new U,Rr=new U;function Of(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Rr.fromArray(i,r);let a=s.x*Math.abs(Rr.x)+s.y*Math.abs(Rr.y)+s.z*Math.abs(Rr.z),l=t.dot(Rr),c=e.dot(Rr),h=n.dot(Rr);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var Sn=new U,lc=new Vt,KS=0,Be=class extends Wi{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:KS++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Ad,this.updateRanges=[],this.gpuType=li,this.version=0,this._normalizationScale=t!==void 0?eu(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)lc.fromBufferAttribute(this,e),lc.applyMatrix3(t),this.setXY(e,lc.x,lc.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)Sn.fromBufferAttribute(this,e),Sn.applyMatrix3(t),this.setXYZ(e,Sn.x,Sn.y,Sn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)Sn.fromBufferAttribute(this,e),Sn.applyMatrix4(t),this.setXYZ(e,Sn.x,Sn.y,Sn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)Sn.fromBufferAttribute(this,e),Sn.applyNormalMatrix(t),this.setXYZ(e,Sn.x,Sn.y,Sn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)Sn.fromBufferAttribute(this,e),Sn.transformDirection(t),this.setXYZ(e,Sn.x,Sn.y,Sn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):Id(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):Ld(t,this.array)}};var Ha=class extends Be{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var Wa=class extends Be{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var Te=class extends Be{constructor(t,e,n){super(new Float32Array(t),e,n)}},jS=new en,Aa=new U,Uf=new U,ai=class{constructor(t=new U,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):jS.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Aa.subVectors(t,this.center);let e=Aa.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Aa,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Uf.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Aa.copy(t.center).add(Uf)),this.expandByPoint(Aa.copy(t.center).sub(Uf))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},QS=0,Pi=new ye,Ff=new En,To=new U,yi=new en,Ca=new en,Un=new U,me=class i extends Wi{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:QS++}),this.uuid=fr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(wS(t)?Wa:Ha)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new ne().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return Pi.makeRotationFromQuaternion(t),this.applyMatrix4(Pi),this}rotateX(t){return Pi.makeRotationX(t),this.applyMatrix4(Pi),this}rotateY(t){return Pi.makeRotationY(t),this.applyMatrix4(Pi),this}rotateZ(t){return Pi.makeRotationZ(t),this.applyMatrix4(Pi),this}translate(t,e,n){return Pi.makeTranslation(t,e,n),this.applyMatrix4(Pi),this}scale(t,e,n){return Pi.makeScale(t,e,n),this.applyMatrix4(Pi),this}lookAt(t){return Ff.lookAt(t),Ff.updateMatrix(),this.applyMatrix4(Ff.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(To).negate(),this.translate(To.x,To.y,To.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Te(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Yt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new en);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){jt("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new U(-1/0,-1/0,-1/0),new U(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];yi.setFromBufferAttribute(r),this.morphTargetsRelative?(Un.addVectors(this.boundingBox.min,yi.min),this.boundingBox.expandByPoint(Un),Un.addVectors(this.boundingBox.max,yi.max),this.boundingBox.expandByPoint(Un)):(this.boundingBox.expandByPoint(yi.min),this.boundingBox.expandByPoint(yi.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&jt('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new ai);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){jt("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new U,1/0);return}if(t){let n=this.boundingSphere.center;if(yi.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Ca.setFromBufferAttribute(a),this.morphTargetsRelative?(Un.addVectors(yi.min,Ca.min),yi.expandByPoint(Un),Un.addVectors(yi.max,Ca.max),yi.expandByPoint(Un)):(yi.expandByPoint(Ca.min),yi.expandByPoint(Ca.max))}yi.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Un.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Un));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Un.fromBufferAttribute(a,c),l&&(To.fromBufferAttribute(t,c),Un.add(To)),s=Math.max(s,n.distanceToSquared(Un))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&jt('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){jt("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new Be(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let F=0;F<n.count;F++)a[F]=new U,l[F]=new U;let h=new U,f=new U,u=new U,d=new Vt,m=new Vt,_=new Vt,p=new U,g=new U;function v(F,L,D){c[F]=c[L]=c[D]=1,h.fromBufferAttribute(n,F),f.fromBufferAttribute(n,L),u.fromBufferAttribute(n,D),d.fromBufferAttribute(r,F),m.fromBufferAttribute(r,L),_.fromBufferAttribute(r,D),f.sub(h),u.sub(h),m.sub(d),_.sub(d);let V=1/(m.x*_.y-_.x*m.y);isFinite(V)&&(p.copy(f).multiplyScalar(_.y).addScaledVector(u,-m.y).multiplyScalar(V),g.copy(u).multiplyScalar(m.x).addScaledVector(f,-_.x).multiplyScalar(V),a[F].add(p),a[L].add(p),a[D].add(p),l[F].add(g),l[L].add(g),l[D].add(g))}let A=this.groups;A.length===0&&(A=[{start:0,count:t.count}]);for(let F=0,L=A.length;F<L;++F){let D=A[F],V=D.start,W=D.count;for(let O=V,X=V+W;O<X;O+=3)v(t.getX(O+0),t.getX(O+1),t.getX(O+2))}let S=new U,R=new U,C=new U,x=new U;function w(F){C.fromBufferAttribute(s,F),x.copy(C);let L=a[F];S.copy(L),S.sub(C.multiplyScalar(C.dot(L))).normalize(),R.crossVectors(x,L);let V=R.dot(l[F])<0?-1:1;o.setXYZW(F,S.x,S.y,S.z,V)}for(let F=0,L=n.count;F<L;++F)c[F]&&w(F);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new Be(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let u=0,d=n.count;u<d;u++)n.setXYZ(u,0,0,0);let s=new U,r=new U,o=new U,a=new U,l=new U,c=new U,h=new U,f=new U;if(t)for(let u=0,d=t.count;u<d;u+=3){let m=t.getX(u+0),_=t.getX(u+1),p=t.getX(u+2);s.fromBufferAttribute(e,m),r.fromBufferAttribute(e,_),o.fromBufferAttribute(e,p),h.subVectors(o,r),f.subVectors(s,r),h.cross(f),a.fromBufferAttribute(n,m),l.fromBufferAttribute(n,_),c.fromBufferAttribute(n,p),a.add(h),l.add(h),c.add(h),n.setXYZ(m,a.x,a.y,a.z),n.setXYZ(_,l.x,l.y,l.z),n.setXYZ(p,c.x,c.y,c.z)}else for(let u=0,d=e.count;u<d;u+=3)s.fromBufferAttribute(e,u+0),r.fromBufferAttribute(e,u+1),o.fromBufferAttribute(e,u+2),h.subVectors(o,r),f.subVectors(s,r),h.cross(f),n.setXYZ(u+0,h.x,h.y,h.z),n.setXYZ(u+1,h.x,h.y,h.z),n.setXYZ(u+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)Un.fromBufferAttribute(t,e),Un.normalize(),t.setXYZ(e,Un.x,Un.y,Un.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,f=a.normalized,u=new c.constructor(l.length*h),d=0,m=0;for(let _=0,p=l.length;_<p;_++){a.isInterleavedBufferAttribute?d=l[_]*a.data.stride+a.offset:d=l[_]*h;for(let g=0;g<h;g++)u[m++]=c[d++]}return new Be(u,h,f)}if(this.index===null)return Yt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,f=c.length;h<f;h++){let u=c[h],d=t(u,n);l.push(d)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let f=0,u=c.length;f<u;f++){let d=c[f];h.push(d.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],f=r[c];for(let u=0,d=f.length;u<d;u++)h.push(f[u].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let f=o[c];this.addGroup(f.start,f.count,f.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},Jc=class{constructor(t,e){this.isInterleavedBuffer=!0,this.array=t,this.stride=e,this.count=t!==void 0?t.length/e:0,this.usage=Ad,this.updateRanges=[],this.version=0,this.uuid=fr()}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.array=new t.array.constructor(t.array),this.count=t.count,this.stride=t.stride,this.usage=t.usage,this}copyAt(t,e,n){t*=this.stride,n*=e.stride;for(let s=0,r=this.stride;s<r;s++)this.array[t+s]=e.array[n+s];return this}set(t,e=0){return this.array.set(t,e),this}clone(t){t.arrayBuffers===void 0&&(t.arrayBuffers={});let e=Bg(this.array);t.arrayBuffers[e]===void 0&&(t.arrayBuffers[e]=this.array.slice(0).buffer);let n=new this.array.constructor(t.arrayBuffers[e]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(t){return this.onUploadCallback=t,this}toJSON(t){t.arrayBuffers===void 0&&(t.arrayBuffers={});let e=Bg(this.array);t.arrayBuffers[e]===void 0&&(t.arrayBuffers[e]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:e,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function Bg(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=fr()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var ei=new U,Xa=class i{constructor(t,e,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=t,this.itemSize=e,this.offset=n,this.normalized=s,this._normalizationScale=t!==void 0?eu(t.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(t){this.data.needsUpdate=t}applyMatrix4(t){for(let e=0,n=this.data.count;e<n;e++)ei.fromBufferAttribute(this,e),ei.applyMatrix4(t),this.setXYZ(e,ei.x,ei.y,ei.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)ei.fromBufferAttribute(this,e),ei.applyNormalMatrix(t),this.setXYZ(e,ei.x,ei.y,ei.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)ei.fromBufferAttribute(this,e),ei.transformDirection(t),this.setXYZ(e,ei.x,ei.y,ei.z);return this}getComponent(t,e){let n=this.array[t*this.data.stride+this.offset+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.data.array[t*this.data.stride+this.offset+e]=n,this}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset]=e,this}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+1]=e,this}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+2]=e,this}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+3]=e,this}getX(t){let e=this.data.array[t*this.data.stride+this.offset];return this.normalized&&(e=this._denormalize(e)),e}getY(t){let e=this.data.array[t*this.data.stride+this.offset+1];return this.normalized&&(e=this._denormalize(e)),e}getZ(t){let e=this.data.array[t*this.data.stride+this.offset+2];return this.normalized&&(e=this._denormalize(e)),e}getW(t){let e=this.data.array[t*this.data.stride+this.offset+3];return this.normalized&&(e=this._denormalize(e)),e}setXY(t,e,n){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.data.array[t+0]=e,this.data.array[t+1]=n,this}setXYZ(t,e,n,s){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this.data.array[t+3]=r,this}clone(t){if(t===void 0){Va("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return new Be(new this.array.constructor(e),this.itemSize,this.normalized)}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.clone(t)),new i(t.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(t){if(t===void 0){Va("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:e,normalized:this.normalized}}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.toJSON(t)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):Id(t,this.data.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):Ld(t,this.data.array)}},Bf=new U,tM=new U,eM=new ne,Si=class{constructor(t=new U(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=Bf.subVectors(n,e).cross(tM.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(Bf),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||eM.getNormalMatrix(t),s=this.coplanarPoint(Bf).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},nM=0,wi=class extends Wi{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:nM++}),this.uuid=fr(),this.name="",this.type="Material",this.blending=Yo,this.side=hr,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=ld,this.blendDst=cd,this.blendEquation=Vr,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new zt(0,0,0),this.blendAlpha=0,this.depthFunc=Uo,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=U0,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Uc,this.stencilZFail=Uc,this.stencilZPass=Uc,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){Yt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Yt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new zt().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new Si().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new Vt().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new Vt().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}},Ho=class extends wi{constructor(t){super(),this.isSpriteMaterial=!0,this.type="SpriteMaterial",this.color=new zt(16777215),this.map=null,this.alphaMap=null,this.rotation=0,this.sizeAttenuation=!0,this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.rotation=t.rotation,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},Eo,Ra=new U,Ao=new U,Co=new U,Ro=new Vt,Pa=new Vt,$0=new ye,cc=new U,Ia=new U,hc=new U,kg=new Vt,kf=new Vt,zg=new Vt,qa=class extends En{constructor(t=new Ho){if(super(),this.isSprite=!0,this.type="Sprite",Eo===void 0){Eo=new me;let e=new Float32Array([-.5,-.5,0,0,0,.5,-.5,0,1,0,.5,.5,0,1,1,-.5,.5,0,0,1]),n=new Jc(e,5);Eo.setIndex([0,1,2,0,2,3]),Eo.setAttribute("position",new Xa(n,3,0,!1)),Eo.setAttribute("uv",new Xa(n,2,3,!1))}this.geometry=Eo,this.material=t,this.center=new Vt(.5,.5),this.count=1}intersectsFrustum(t){return t.intersectsSprite(this)}raycast(t,e){t.camera===null&&jt('Sprite: "Raycaster.camera" needs to be set in order to raycast against sprites.'),Ao.setFromMatrixScale(this.matrixWorld),$0.copy(t.camera.matrixWorld),this.modelViewMatrix.multiplyMatrices(t.camera.matrixWorldInverse,this.matrixWorld),Co.setFromMatrixPosition(this.modelViewMatrix),t.camera.isPerspectiveCamera&&this.material.sizeAttenuation===!1&&Ao.multiplyScalar(-Co.z);let n=this.material.rotation,s,r;n!==0&&(r=Math.cos(n),s=Math.sin(n));let o=this.center;uc(cc.set(-.5,-.5,0),Co,o,Ao,s,r),uc(Ia.set(.5,-.5,0),Co,o,Ao,s,r),uc(hc.set(.5,.5,0),Co,o,Ao,s,r),kg.set(0,0),kf.set(1,0),zg.set(1,1);let a=t.ray.intersectTriangle(cc,Ia,hc,!1,Ra);if(a===null&&(uc(Ia.set(-.5,.5,0),Co,o,Ao,s,r),kf.set(0,1),a=t.ray.intersectTriangle(cc,hc,Ia,!1,Ra),a===null))return;let l=t.ray.origin.distanceTo(Ra);l<t.near||l>t.far||e.push({distance:l,point:Ra.clone(),uv:os.getInterpolation(Ra,cc,Ia,hc,kg,kf,zg,new Vt),face:null,object:this})}copy(t,e){return super.copy(t,e),t.center!==void 0&&this.center.copy(t.center),this.material=t.material,this}toJSON(t){let e=super.toJSON(t);return e.object.center=this.center.toArray(),e}};function uc(i,t,e,n,s,r){Ro.subVectors(i,e).addScalar(.5).multiply(n),s!==void 0?(Pa.x=r*Ro.x-s*Ro.y,Pa.y=s*Ro.x+r*Ro.y):Pa.copy(Ro),i.copy(t),i.x+=Pa.x,i.y+=Pa.y,i.applyMatrix4($0)}var Rs=new U,zf=new U,fc=new U,dc=new U,Ls=class{constructor(t=new U,e=new U(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Rs)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=Rs.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Rs.copy(this.origin).addScaledVector(this.direction,e),Rs.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){zf.copy(t).add(e).multiplyScalar(.5),fc.copy(e).sub(t).normalize(),dc.copy(this.origin).sub(zf);let r=t.distanceTo(e)*.5,o=-this.direction.dot(fc),a=dc.dot(this.direction),l=-dc.dot(fc),c=dc.lengthSq(),h=Math.abs(1-o*o),f,u,d,m;if(h>0)if(f=o*l-a,u=o*a-l,m=r*h,f>=0)if(u>=-m)if(u<=m){let _=1/h;f*=_,u*=_,d=f*(f+o*u+2*a)+u*(o*f+u+2*l)+c}else u=r,f=Math.max(0,-(o*u+a)),d=-f*f+u*(u+2*l)+c;else u=-r,f=Math.max(0,-(o*u+a)),d=-f*f+u*(u+2*l)+c;else u<=-m?(f=Math.max(0,-(-o*r+a)),u=f>0?-r:Math.min(Math.max(-r,-l),r),d=-f*f+u*(u+2*l)+c):u<=m?(f=0,u=Math.min(Math.max(-r,-l),r),d=u*(u+2*l)+c):(f=Math.max(0,-(o*r+a)),u=f>0?r:Math.min(Math.max(-r,-l),r),d=-f*f+u*(u+2*l)+c);else u=o>0?-r:r,f=Math.max(0,-(o*u+a)),d=-f*f+u*(u+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,f),s&&s.copy(zf).addScaledVector(fc,u),d}intersectSphere(t,e){if(t.radius<0)return null;Rs.subVectors(t.center,this.origin);let n=Rs.dot(this.direction),s=Rs.dot(Rs)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,f=1/this.direction.z,u=this.origin;return c>=0?(n=(t.min.x-u.x)*c,s=(t.max.x-u.x)*c):(n=(t.max.x-u.x)*c,s=(t.min.x-u.x)*c),h>=0?(r=(t.min.y-u.y)*h,o=(t.max.y-u.y)*h):(r=(t.max.y-u.y)*h,o=(t.min.y-u.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),f>=0?(a=(t.min.z-u.z)*f,l=(t.max.z-u.z)*f):(a=(t.max.z-u.z)*f,l=(t.min.z-u.z)*f),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,Rs)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,f=t.x-o.x,u=t.y-o.y,d=t.z-o.z,m=e.x-o.x,_=e.y-o.y,p=e.z-o.z,g=n.x-o.x,v=n.y-o.y,A=n.z-o.z,S=Math.abs(l),R=Math.abs(c),C=Math.abs(h),x,w,F,L,D,V,W,O,X,Y,H,ct;if(S>=R&&S>=C?(F=l,V=f,X=m,ct=g,l>=0?(x=c,w=h,L=u,D=d,W=_,O=p,Y=v,H=A):(x=h,w=c,L=d,D=u,W=p,O=_,Y=A,H=v)):R>=C?(F=c,V=u,X=_,ct=v,c>=0?(x=h,w=l,L=d,D=f,W=p,O=m,Y=A,H=g):(x=l,w=h,L=f,D=d,W=m,O=p,Y=g,H=A)):(F=h,V=d,X=p,ct=A,h>=0?(x=l,w=c,L=f,D=u,W=m,O=_,Y=g,H=v):(x=c,w=l,L=u,D=f,W=_,O=m,Y=v,H=g)),F===0)return null;let K=x/F,Q=w/F,st=1/F,ft=L-K*V,ut=D-Q*V,tt=W-K*X,mt=O-Q*X,xt=Y-K*ct,At=H-Q*ct,Mt=xt*mt-At*tt,Xt=ft*At-ut*xt,re=tt*ut-mt*ft;if(s){if(Mt<0||Xt<0||re<0)return null}else if((Mt<0||Xt<0||re<0)&&(Mt>0||Xt>0||re>0))return null;let Ht=Mt+Xt+re;if(Ht===0)return null;let ue=st*(Mt*V+Xt*X+re*ct);return(Ht>0?ue<0:ue>0)?null:this.at(ue/Ht,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},An=class extends wi{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new zt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ls,this.combine=mh,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},Vg=new ye,Pr=new Ls,pc=new ai,Gg=new U,mc=new U,gc=new U,_c=new U,Vf=new U,xc=new U,Hg=new U,vc=new U,Me=class extends En{constructor(t=new me,e=new An){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){xc.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],f=r[l];h!==0&&(Vf.fromBufferAttribute(f,t),o?xc.addScaledVector(Vf,h):xc.addScaledVector(Vf.sub(e),h))}e.add(xc)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),pc.copy(n.boundingSphere),pc.applyMatrix4(r),Pr.copy(t.ray).recast(t.near),!(pc.containsPoint(Pr.origin)===!1&&(Pr.intersectSphere(pc,Gg)===null||Pr.origin.distanceToSquared(Gg)>(t.far-t.near)**2))&&(Vg.copy(r).invert(),Pr.copy(t.ray).applyMatrix4(Vg),!(n.boundingBox!==null&&Pr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,Pr)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,f=r.attributes.normal,u=r.groups,d=r.drawRange;if(a!==null)if(Array.isArray(o))for(let m=0,_=u.length;m<_;m++){let p=u[m],g=o[p.materialIndex],v=Math.max(p.start,d.start),A=Math.min(a.count,Math.min(p.start+p.count,d.start+d.count));for(let S=v,R=A;S<R;S+=3){let C=a.getX(S),x=a.getX(S+1),w=a.getX(S+2);s=yc(this,g,t,n,c,h,f,C,x,w),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=p.materialIndex,e.push(s))}}else{let m=Math.max(0,d.start),_=Math.min(a.count,d.start+d.count);for(let p=m,g=_;p<g;p+=3){let v=a.getX(p),A=a.getX(p+1),S=a.getX(p+2);s=yc(this,o,t,n,c,h,f,v,A,S),s&&(s.faceIndex=Math.floor(p/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let m=0,_=u.length;m<_;m++){let p=u[m],g=o[p.materialIndex],v=Math.max(p.start,d.start),A=Math.min(l.count,Math.min(p.start+p.count,d.start+d.count));for(let S=v,R=A;S<R;S+=3){let C=S,x=S+1,w=S+2;s=yc(this,g,t,n,c,h,f,C,x,w),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=p.materialIndex,e.push(s))}}else{let m=Math.max(0,d.start),_=Math.min(l.count,d.start+d.count);for(let p=m,g=_;p<g;p+=3){let v=p,A=p+1,S=p+2;s=yc(this,o,t,n,c,h,f,v,A,S),s&&(s.faceIndex=Math.floor(p/3),e.push(s))}}}};function iM(i,t,e,n,s,r,o,a){let l;if(t.side===zn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===hr,a),l===null)return null;vc.copy(a),vc.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(vc);return c<e.near||c>e.far?null:{distance:c,point:vc.clone(),object:i}}function yc(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,mc),i.getVertexPosition(l,gc),i.getVertexPosition(c,_c);let h=iM(i,t,e,n,mc,gc,_c,Hg);if(h){let f=new U;os.getBarycoord(Hg,mc,gc,_c,f),s&&(h.uv=os.getInterpolatedAttribute(s,a,l,c,f,new Vt)),r&&(h.uv1=os.getInterpolatedAttribute(r,a,l,c,f,new Vt)),o&&(h.normal=os.getInterpolatedAttribute(o,a,l,c,f,new U),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let u={a,b:l,c,normal:new U,materialIndex:0};os.getNormal(mc,gc,_c,u.normal),h.face=u,h.barycoord=f}return h}var sr=class extends ii{constructor(t=null,e=1,n=1,s,r,o,a,l,c=Fn,h=Fn,f,u){super(null,o,a,l,c,h,s,r,f,u),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var $a=class extends Be{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},Po=new ye,Wg=new ye,Sc=[],Xg=new en,sM=new ye,La=new Me,Da=new ai,Ds=class extends Me{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new $a(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,sM)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new en),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Po),Xg.copy(t.boundingBox).applyMatrix4(Po),this.boundingBox.union(Xg)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new ai),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Po),Da.copy(t.boundingSphere).applyMatrix4(Po),this.boundingSphere.union(Da)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(La.geometry=this.geometry,La.material=this.material,La.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Da.copy(this.boundingSphere),Da.applyMatrix4(n),t.ray.intersectsSphere(Da)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Po),Wg.multiplyMatrices(n,Po),La.matrixWorld=Wg,La.raycast(t,Sc);for(let o=0,a=Sc.length;o<a;o++){let l=Sc[o];l.instanceId=r,l.object=this,e.push(l)}Sc.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new $a(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new sr(new Float32Array(s*this.count),s,this.count,Mh,li));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Ir=new ai,rM=new Vt(.5,.5),Mc=new U,Ns=class{constructor(t=new Si,e=new Si,n=new Si,s=new Si,r=new Si,o=new Si){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Ii,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],f=r[5],u=r[6],d=r[7],m=r[8],_=r[9],p=r[10],g=r[11],v=r[12],A=r[13],S=r[14],R=r[15];if(s[0].setComponents(c-o,d-h,g-m,R-v).normalize(),s[1].setComponents(c+o,d+h,g+m,R+v).normalize(),s[2].setComponents(c+a,d+f,g+_,R+A).normalize(),s[3].setComponents(c-a,d-f,g-_,R-A).normalize(),n)s[4].setComponents(l,u,p,S).normalize(),s[5].setComponents(c-l,d-u,g-p,R-S).normalize();else if(s[4].setComponents(c-l,d-u,g-p,R-S).normalize(),e===Ii)s[5].setComponents(c+l,d+u,g+p,R+S).normalize();else if(e===Fo)s[5].setComponents(l,u,p,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Ir.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Ir.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Ir)}intersectsSprite(t){Ir.center.set(0,0,0);let e=rM.distanceTo(t.center);return Ir.radius=.7071067811865476+e,Ir.applyMatrix4(t.matrixWorld),this.intersectsSphere(Ir)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(Mc.x=s.normal.x>0?t.max.x:t.min.x,Mc.y=s.normal.y>0?t.max.y:t.min.y,Mc.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Mc)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},qg=new ye,Ya=class i{constructor(){this.coordinateSystem=Ii,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];qg.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Ns),n[s].setFromProjectionMatrix(qg,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new Ns),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};function Gf(i,t){return i-t}function oM(i,t){return i.z-t.z}function aM(i,t){return t.z-i.z}var jf=class{constructor(){this.index=0,this.pool=[],this.list=[]}push(t,e,n,s){let r=this.pool,o=this.list;this.index>=r.length&&r.push({start:-1,count:-1,z:-1,index:-1});let a=r[this.index];o.push(a),this.index++,a.start=t,a.count=e,a.z=n,a.index=s}reset(){this.list.length=0,this.index=0}},oi=new ye,lM=new zt(1,1,1),cM=new Ns,hM=new Ya,bc=new en,Lr=new ai,Hf=new U,$g=new U,Yg=new U,uM=new U,Wf=new jf,Xn=new Me,wc=[];function fM(i,t,e=0){let n=t.itemSize;if(i.isInterleavedBufferAttribute||i.array.constructor!==t.array.constructor){let s=i.count;for(let r=0;r<s;r++)for(let o=0;o<n;o++)t.setComponent(r+e,o,i.getComponent(r,o))}else t.array.set(i.array,e*n);t.needsUpdate=!0}function ss(i,t){if(i.constructor!==t.constructor){let e=Math.min(i.length,t.length);for(let n=0;n<e;n++)t[n]=i[n]}else{let e=Math.min(i.length,t.length);t.set(new i.constructor(i.buffer,0,e))}}var Za=class extends Me{constructor(t,e,n=e*2,s){super(new me,s),this.isBatchedMesh=!0,this.perObjectFrustumCulled=!0,this.sortObjects=!0,this.boundingBox=null,this.boundingSphere=null,this.customSort=null,this._instanceInfo=[],this._geometryInfo=[],this._availableInstanceIds=[],this._availableGeometryIds=[],this._nextIndexStart=0,this._nextVertexStart=0,this._geometryCount=0,this._visibilityChanged=!0,this._geometryInitialized=!1,this._maxInstanceCount=t,this._maxVertexCount=e,this._maxIndexCount=n,this._multiDrawCounts=new Int32Array(t),this._multiDrawStarts=new Int32Array(t),this._multiDrawCount=0,this._multiDrawBytesPerElement=1,this._mergedDrawCounts=new Int32Array(t),this._mergedDrawStarts=new Int32Array(t),this._mergedDrawInstanceCounts=new Int32Array(t),this._mergedDrawCount=0,this._matricesTexture=null,this._indirectTexture=null,this._colorsTexture=null,this._previousMatricesTexture=null,this._initMatricesTexture(),this._initIndirectTexture()}get maxInstanceCount(){return this._maxInstanceCount}get instanceCount(){return this._instanceInfo.length-this._availableInstanceIds.length}get unusedVertexCount(){return this._maxVertexCount-this._nextVertexStart}get unusedIndexCount(){return this._maxIndexCount-this._nextIndexStart}_initMatricesTexture(){let t=Math.sqrt(this._maxInstanceCount*4);t=Math.ceil(t/4)*4,t=Math.max(t,4);let e=new Float32Array(t*t*4),n=new sr(e,t,t,Mi,li);this._matricesTexture=n}_initIndirectTexture(){let t=Math.sqrt(this._maxInstanceCount);t=Math.ceil(t);let e=new Uint32Array(t*t),n=new sr(e,t,t,hl,Di);this._indirectTexture=n}_initColorsTexture(){let t=Math.sqrt(this._maxInstanceCount);t=Math.ceil(t);let e=new Float32Array(t*t*4).fill(1),n=new sr(e,t,t,Mi,li);n.colorSpace=_e.workingColorSpace,this._colorsTexture=n}_initializeGeometry(t){let e=this.geometry,n=this._maxVertexCount,s=this._maxIndexCount;if(this._geometryInitialized===!1){for(let r in t.attributes){let o=t.getAttribute(r),{array:a,itemSize:l,normalized:c}=o,h=new a.constructor(n*l),f=new Be(h,l,c);e.setAttribute(r,f)}if(t.getIndex()!==null){let r=n>65535?new Uint32Array(s):new Uint16Array(s);e.setIndex(new Be(r,1))}this._geometryInitialized=!0}}_validateGeometry(t){let e=this.geometry;if(!!t.getIndex()!=!!e.getIndex())throw new Error('THREE.BatchedMesh: All geometries must consistently have "index".');for(let n in e.attributes){if(!t.hasAttribute(n))throw new Error(`THREE.BatchedMesh: Added geometry missing "${n}". All geometries must have consistent attributes.`);let s=t.getAttribute(n),r=e.getAttribute(n);if(s.itemSize!==r.itemSize||s.normalized!==r.normalized)throw new Error(`THREE.BatchedMesh: Added geometry attribute "${n}" has an inconsistent itemSize or normalized value.`)}}validateInstanceId(t){let e=this._instanceInfo;if(t<0||t>=e.length||e[t].active===!1)throw new Error(`THREE.BatchedMesh: Invalid instanceId ${t}. Instance is either out of range or has been deleted.`)}validateGeometryId(t){let e=this._geometryInfo;if(t<0||t>=e.length||e[t].active===!1)throw new Error(`THREE.BatchedMesh: Invalid geometryId ${t}. Geometry is either out of range or has been deleted.`)}setCustomSort(t){return this.customSort=t,this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new en);let t=this.boundingBox,e=this._instanceInfo;t.makeEmpty();for(let n=0,s=e.length;n<s;n++){if(e[n].active===!1)continue;let r=e[n].geometryIndex;this.getMatrixAt(n,oi),this.getBoundingBoxAt(r,bc).applyMatrix4(oi),t.union(bc)}}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new ai);let t=this.boundingSphere,e=this._instanceInfo;t.makeEmpty();for(let n=0,s=e.length;n<s;n++){if(e[n].active===!1)continue;let r=e[n].geometryIndex;this.getMatrixAt(n,oi),this.getBoundingSphereAt(r,Lr).applyMatrix4(oi),t.union(Lr)}}addInstance(t){if(this._instanceInfo.length>=this.maxInstanceCount&&this._availableInstanceIds.length===0)throw new Error("THREE.BatchedMesh: Maximum item count reached.");let n={visible:!0,active:!0,geometryIndex:t},s=null;this._availableInstanceIds.length>0?(this._availableInstanceIds.sort(Gf),s=this._availableInstanceIds.shift(),this._instanceInfo[s]=n):(s=this._instanceInfo.length,this._instanceInfo.push(n));let r=this._matricesTexture;oi.identity().toArray(r.image.data,s*16),r.needsUpdate=!0;let o=this._colorsTexture;return o&&(lM.toArray(o.image.data,s*4),o.needsUpdate=!0),this._visibilityChanged=!0,s}addGeometry(t,e=-1,n=-1){this._initializeGeometry(t),this._validateGeometry(t);let s={vertexStart:-1,vertexCount:-1,reservedVertexCount:-1,indexStart:-1,indexCount:-1,reservedIndexCount:-1,start:-1,count:-1,boundingBox:null,boundingSphere:null,active:!0},r=this._geometryInfo;s.vertexStart=this._nextVertexStart,s.reservedVertexCount=e===-1?t.getAttribute("position").count:e;let o=t.getIndex();if(o!==null&&(s.indexStart=this._nextIndexStart,s.reservedIndexCount=n===-1?o.count:n),s.indexStart!==-1&&s.indexStart+s.reservedIndexCount>this._maxIndexCount||s.vertexStart+s.reservedVertexCount>this._maxVertexCount)throw new Error("THREE.BatchedMesh: Reserved space request exceeds the maximum buffer size.");let l;return this._availableGeometryIds.length>0?(this._availableGeometryIds.sort(Gf),l=this._availableGeometryIds.shift(),r[l]=s):(l=this._geometryCount,this._geometryCount++,r.push(s)),this.setGeometryAt(l,t),this._nextIndexStart=s.indexStart+s.reservedIndexCount,this._nextVertexStart=s.vertexStart+s.reservedVertexCount,l}setGeometryAt(t,e){if(t>=this._geometryCount)throw new Error("THREE.BatchedMesh: Maximum geometry count reached.");this._validateGeometry(e);let n=this.geometry,s=n.getIndex()!==null,r=n.getIndex(),o=e.getIndex(),a=this._geometryInfo[t];if(s&&o.count>a.reservedIndexCount||e.attributes.position.count>a.reservedVertexCount)throw new Error("THREE.BatchedMesh: Reserved space not large enough for provided geometry.");let l=a.vertexStart,c=a.reservedVertexCount;a.vertexCount=e.getAttribute("position").count;for(let h in n.attributes){let f=e.getAttribute(h),u=n.getAttribute(h);fM(f,u,l);let d=f.itemSize;for(let m=f.count,_=c;m<_;m++){let p=l+m;for(let g=0;g<d;g++)u.setComponent(p,g,0)}u.needsUpdate=!0,u.addUpdateRange(l*d,c*d)}if(s){let h=a.indexStart,f=a.reservedIndexCount;a.indexCount=e.getIndex().count;for(let u=0;u<o.count;u++)r.setX(h+u,l+o.getX(u));for(let u=o.count,d=f;u<d;u++)r.setX(h+u,l);r.needsUpdate=!0,r.addUpdateRange(h,a.reservedIndexCount)}return a.start=s?a.indexStart:a.vertexStart,a.count=s?a.indexCount:a.vertexCount,a.boundingBox=null,e.boundingBox!==null&&(a.boundingBox=e.boundingBox.clone()),a.boundingSphere=null,e.boundingSphere!==null&&(a.boundingSphere=e.boundingSphere.clone()),this._visibilityChanged=!0,t}deleteGeometry(t){let e=this._geometryInfo;if(t>=e.length||e[t].active===!1)return this;let n=this._instanceInfo;for(let s=0,r=n.length;s<r;s++)n[s].active&&n[s].geometryIndex===t&&this.deleteInstance(s);return e[t].active=!1,this._availableGeometryIds.push(t),this._visibilityChanged=!0,this}deleteInstance(t){return this.validateInstanceId(t),this._instanceInfo[t].active=!1,this._availableInstanceIds.push(t),this._visibilityChanged=!0,this}optimize(){let t=0,e=0,n=this._geometryInfo,s=n.map((o,a)=>a).sort((o,a)=>n[o].vertexStart-n[a].vertexStart),r=this.geometry;for(let o=0,a=n.length;o<a;o++){let l=s[o],c=n[l];if(c.active!==!1){if(r.index!==null){if(c.indexStart!==e){let{indexStart:h,vertexStart:f,reservedIndexCount:u}=c,d=r.index,m=d.array,_=t-f;for(let p=h;p<h+u;p++)m[p]=m[p]+_;d.array.copyWithin(e,h,h+u),d.addUpdateRange(e,u),d.needsUpdate=!0,c.indexStart=e}e+=c.reservedIndexCount}if(c.vertexStart!==t){let{vertexStart:h,reservedVertexCount:f}=c,u=r.attributes;for(let d in u){let m=u[d],{array:_,itemSize:p}=m;_.copyWithin(t*p,h*p,(h+f)*p),m.addUpdateRange(t*p,f*p),m.needsUpdate=!0}c.vertexStart=t}t+=c.reservedVertexCount,c.start=r.index?c.indexStart:c.vertexStart}}return this._nextIndexStart=e,this._nextVertexStart=t,this._visibilityChanged=!0,this}getBoundingBoxAt(t,e){if(t>=this._geometryCount)return null;let n=this.geometry,s=this._geometryInfo[t];if(s.boundingBox===null){let r=new en,o=n.index,a=n.attributes.position;for(let l=s.start,c=s.start+s.count;l<c;l++){let h=l;o&&(h=o.getX(h)),r.expandByPoint(Hf.fromBufferAttribute(a,h))}s.boundingBox=r}return e.copy(s.boundingBox),e}getBoundingSphereAt(t,e){if(t>=this._geometryCount)return null;let n=this.geometry,s=this._geometryInfo[t];if(s.boundingSphere===null){let r=new ai;this.getBoundingBoxAt(t,bc),bc.getCenter(r.center);let o=n.index,a=n.attributes.position,l=0;for(let c=s.start,h=s.start+s.count;c<h;c++){let f=c;o&&(f=o.getX(f)),Hf.fromBufferAttribute(a,f),l=Math.max(l,r.center.distanceToSquared(Hf))}r.radius=Math.sqrt(l),s.boundingSphere=r}return e.copy(s.boundingSphere),e}setMatrixAt(t,e){this.validateInstanceId(t);let n=this._matricesTexture,s=this._matricesTexture.image.data;return e.toArray(s,t*16),n.needsUpdate=!0,this}getMatrixAt(t,e){return this.validateInstanceId(t),e.fromArray(this._matricesTexture.image.data,t*16)}setColorAt(t,e){return this.validateInstanceId(t),this._colorsTexture===null&&this._initColorsTexture(),e.toArray(this._colorsTexture.image.data,t*4),this._colorsTexture.needsUpdate=!0,this}getColorAt(t,e){return this.validateInstanceId(t),this._colorsTexture===null?e.isVector4?e.set(1,1,1,1):e.setRGB(1,1,1):e.fromArray(this._colorsTexture.image.data,t*4)}setVisibleAt(t,e){return this.validateInstanceId(t),this._instanceInfo[t].visible===e?this:(this._instanceInfo[t].visible=e,this._visibilityChanged=!0,this)}getVisibleAt(t){return this.validateInstanceId(t),this._instanceInfo[t].visible}setGeometryIdAt(t,e){return this.validateInstanceId(t),this.validateGeometryId(e),this._instanceInfo[t].geometryIndex=e,this._visibilityChanged=!0,this}getGeometryIdAt(t){return this.validateInstanceId(t),this._instanceInfo[t].geometryIndex}getGeometryRangeAt(t,e={}){this.validateGeometryId(t);let n=this._geometryInfo[t];return e.vertexStart=n.vertexStart,e.vertexCount=n.vertexCount,e.reservedVertexCount=n.reservedVertexCount,e.indexStart=n.indexStart,e.indexCount=n.indexCount,e.reservedIndexCount=n.reservedIndexCount,e.start=n.start,e.count=n.count,e}setInstanceCount(t){let e=this._availableInstanceIds,n=this._instanceInfo;for(e.sort(Gf);e[e.length-1]===n.length-1;)n.pop(),e.pop();if(t<n.length)throw new Error(`THREE.BatchedMesh: Instance ids outside the range ${t} are being used. Cannot shrink instance count.`);let s=new Int32Array(t),r=new Int32Array(t);ss(this._multiDrawCounts,s),ss(this._multiDrawStarts,r),this._multiDrawCounts=s,this._multiDrawStarts=r;let o=new Int32Array(t),a=new Int32Array(t),l=new Int32Array(t);ss(this._mergedDrawCounts,o),ss(this._mergedDrawStarts,a),ss(this._mergedDrawInstanceCounts,l),this._mergedDrawCounts=o,this._mergedDrawStarts=a,this._mergedDrawInstanceCounts=l,this._maxInstanceCount=t;let c=this._indirectTexture,h=this._matricesTexture,f=this._colorsTexture;c.dispose(),this._initIndirectTexture(),ss(c.image.data,this._indirectTexture.image.data),h.dispose(),this._initMatricesTexture(),ss(h.image.data,this._matricesTexture.image.data),f&&(f.dispose(),this._initColorsTexture(),ss(f.image.data,this._colorsTexture.image.data)),this._previousMatricesTexture!==null&&(this._previousMatricesTexture.dispose(),this._previousMatricesTexture=null)}setGeometrySize(t,e){let n=[...this._geometryInfo].filter(a=>a.active);if(Math.max(...n.map(a=>a.vertexStart+a.reservedVertexCount))>t)throw new Error(`THREE.BatchedMesh: Geometry vertex values are being used outside the range ${t}. Cannot shrink further.`);if(this.geometry.index&&Math.max(...n.map(l=>l.indexStart+l.reservedIndexCount))>e)throw new Error(`THREE.BatchedMesh: Geometry index values are being used outside the range ${e}. Cannot shrink further.`);let r=this.geometry;r.dispose(),this._maxVertexCount=t,this._maxIndexCount=e,this._geometryInitialized&&(this._geometryInitialized=!1,this.geometry=new me,this._initializeGeometry(r));let o=this.geometry;r.index&&ss(r.index.array,o.index.array);for(let a in r.attributes)ss(r.attributes[a].array,o.attributes[a].array);this._visibilityChanged=!0}raycast(t,e){let n=this._instanceInfo,s=this._geometryInfo,r=this.matrixWorld,o=this.geometry;Xn.material=this.material,Xn.geometry.index=o.index,Xn.geometry.attributes=o.attributes,Xn.geometry.boundingBox===null&&(Xn.geometry.boundingBox=new en),Xn.geometry.boundingSphere===null&&(Xn.geometry.boundingSphere=new ai);for(let a=0,l=n.length;a<l;a++){if(!n[a].visible||!n[a].active)continue;let c=n[a].geometryIndex,h=s[c];Xn.geometry.setDrawRange(h.start,h.count),this.getMatrixAt(a,Xn.matrixWorld).premultiply(r),this.getBoundingBoxAt(c,Xn.geometry.boundingBox),this.getBoundingSphereAt(c,Xn.geometry.boundingSphere),Xn.raycast(t,wc);for(let f=0,u=wc.length;f<u;f++){let d=wc[f];d.object=this,d.batchId=a,e.push(d)}wc.length=0}Xn.material=null,Xn.geometry.index=null,Xn.geometry.attributes={},Xn.geometry.setDrawRange(0,1/0)}copy(t){return super.copy(t),this.geometry=t.geometry.clone(),this.perObjectFrustumCulled=t.perObjectFrustumCulled,this.sortObjects=t.sortObjects,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this._geometryInfo=t._geometryInfo.map(e=>({...e,boundingBox:e.boundingBox!==null?e.boundingBox.clone():null,boundingSphere:e.boundingSphere!==null?e.boundingSphere.clone():null})),this._instanceInfo=t._instanceInfo.map(e=>({...e})),this._availableInstanceIds=t._availableInstanceIds.slice(),this._availableGeometryIds=t._availableGeometryIds.slice(),this._nextIndexStart=t._nextIndexStart,this._nextVertexStart=t._nextVertexStart,this._geometryCount=t._geometryCount,this._maxInstanceCount=t._maxInstanceCount,this._maxVertexCount=t._maxVertexCount,this._maxIndexCount=t._maxIndexCount,this._geometryInitialized=t._geometryInitialized,this._multiDrawCounts=t._multiDrawCounts.slice(),this._multiDrawStarts=t._multiDrawStarts.slice(),this._multiDrawBytesPerElement=t._multiDrawBytesPerElement,this._mergedDrawCounts=t._mergedDrawCounts.slice(),this._mergedDrawStarts=t._mergedDrawStarts.slice(),this._mergedDrawInstanceCounts=t._mergedDrawInstanceCounts.slice(),this._indirectTexture=t._indirectTexture.clone(),this._indirectTexture.image.data=this._indirectTexture.image.data.slice(),this._matricesTexture=t._matricesTexture.clone(),this._matricesTexture.image.data=this._matricesTexture.image.data.slice(),t._colorsTexture!==null?(this._colorsTexture=t._colorsTexture.clone(),this._colorsTexture.image.data=this._colorsTexture.image.data.slice()):this._colorsTexture=null,this}dispose(){super.dispose(),this.geometry.dispose(),this._matricesTexture.dispose(),this._matricesTexture=null,this._indirectTexture.dispose(),this._indirectTexture=null,this._colorsTexture!==null&&(this._colorsTexture.dispose(),this._colorsTexture=null),this._previousMatricesTexture!==null&&(this._previousMatricesTexture.dispose(),this._previousMatricesTexture=null)}_updateDrawParameters(t,e,n,s="multiDraw"){if(!this._visibilityChanged&&!this.perObjectFrustumCulled&&!this.sortObjects)return;let r=e.getIndex(),o=r===null?1:r.array.BYTES_PER_ELEMENT,a=1;n.wireframe&&(a=2,o=e.attributes.position.count>65535?4:2);let l=this._instanceInfo,c=this._multiDrawStarts,h=this._multiDrawCounts,f=this._mergedDrawStarts,u=this._mergedDrawCounts,d=this._mergedDrawInstanceCounts,m=this._geometryInfo,_=this.perObjectFrustumCulled,p=this._indirectTexture,g=p.image.data,v=t.isArrayCamera?hM:cM;_&&(t.isArrayCamera?v.setFromArrayCamera(t):(oi.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse).multiply(this.matrixWorld),v.setFromProjectionMatrix(oi,t.coordinateSystem,t.reversedDepth)));let A=0,S=0;if(this.sortObjects){oi.copy(this.matrixWorld).invert(),$g.setFromMatrixPosition(t.matrixWorld).applyMatrix4(oi),Yg.set(0,0,-1).transformDirection(t.matrixWorld).transformDirection(oi);for(let x=0,w=l.length;x<w;x++)if(l[x].visible&&l[x].active){let F=l[x].geometryIndex;this.getMatrixAt(x,oi),this.getBoundingSphereAt(F,Lr).applyMatrix4(oi);let L=!1;if(_&&(L=!v.intersectsSphere(Lr)),!L){let D=m[F],V=uM.subVectors(Lr.center,$g).dot(Yg);Wf.push(D.start,D.count,V,x)}}let R=Wf.list,C=this.customSort;C===null?R.sort(n.transparent?aM:oM):C.call(this,R,t);for(let x=0,w=R.length;x<w;x++){let F=R[x],L=F.start*o*a,D=F.count*a;s==="merged"?S>0&&f[S-1]===L&&u[S-1]===D?d[S-1]++:(f[S]=L,u[S]=D,d[S]=1,S++):(c[A]=L,h[A]=D),g[A]=F.index,A++}Wf.reset()}else for(let R=0,C=l.length;R<C;R++)if(l[R].visible&&l[R].active){let x=l[R].geometryIndex,w=!1;if(_&&(this.getMatrixAt(R,oi),this.getBoundingSphereAt(x,Lr).applyMatrix4(oi),w=!v.intersectsSphere(Lr)),!w){let F=m[x],L=F.start*o*a,D=F.count*a;s==="merged"?S>0&&f[S-1]===L&&u[S-1]===D?d[S-1]++:(f[S]=L,u[S]=D,d[S]=1,S++):(c[A]=L,h[A]=D),g[A]=R,A++}}p.needsUpdate=!0,this._multiDrawCount=A,this._mergedDrawCount=S,this._multiDrawBytesPerElement=o,this._visibilityChanged=!1}onBeforeRender(t,e,n,s,r){t.isWebGPURenderer===!0?(this._visibilityChanged||this.perObjectFrustumCulled||this.sortObjects)&&(this._indirectTexture.needsUpdate=!0):this._updateDrawParameters(n,s,r)}onBeforeShadow(t,e,n,s,r,o){t.isWebGPURenderer!==!0&&this._updateDrawParameters(s,r,o)}},fn=class extends wi{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new zt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Kc=new U,jc=new U,Zg=new ye,Na=new Ls,Tc=new ai,Xf=new U,Jg=new U,cs=class extends En{constructor(t=new me,e=new fn){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Kc.fromBufferAttribute(e,s-1),jc.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Kc.distanceTo(jc);t.setAttribute("lineDistance",new Te(n,1))}else Yt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Tc.copy(n.boundingSphere),Tc.applyMatrix4(s),Tc.radius+=r,t.ray.intersectsSphere(Tc)===!1)return;Zg.copy(s).invert(),Na.copy(t.ray).applyMatrix4(Zg);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,u=n.attributes.position;if(h!==null){let d=Math.max(0,o.start),m=Math.min(h.count,o.start+o.count);for(let _=d,p=m-1;_<p;_+=c){let g=h.getX(_),v=h.getX(_+1),A=Ec(this,t,Na,l,g,v,_);A&&e.push(A)}if(this.isLineLoop){let _=h.getX(m-1),p=h.getX(d),g=Ec(this,t,Na,l,_,p,m-1);g&&e.push(g)}}else{let d=Math.max(0,o.start),m=Math.min(u.count,o.start+o.count);for(let _=d,p=m-1;_<p;_+=c){let g=Ec(this,t,Na,l,_,_+1,_);g&&e.push(g)}if(this.isLineLoop){let _=Ec(this,t,Na,l,m-1,d,m-1);_&&e.push(_)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Ec(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(Kc.fromBufferAttribute(a,s),jc.fromBufferAttribute(a,r),e.distanceSqToSegment(Kc,jc,Xf,Jg)>n)return;Xf.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(Xf);if(!(c<t.near||c>t.far))return{distance:c,point:Jg.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var Kg=new U,jg=new U,si=class extends cs{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)Kg.fromBufferAttribute(e,s),jg.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Kg.distanceTo(jg);t.setAttribute("lineDistance",new Te(n,1))}else Yt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var Wo=class extends wi{constructor(t){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new zt(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.size=t.size,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},Qg=new ye,Qf=new Ls,Ac=new ai,Cc=new U,Ja=class extends En{constructor(t=new me,e=new Wo){super(),this.isPoints=!0,this.type="Points",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Ac.copy(n.boundingSphere),Ac.applyMatrix4(s),Ac.radius+=r,t.ray.intersectsSphere(Ac)===!1)return;Qg.copy(s).invert(),Qf.copy(t.ray).applyMatrix4(Qg);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=n.index,f=n.attributes.position;if(c!==null){let u=Math.max(0,o.start),d=Math.min(c.count,o.start+o.count);for(let m=u,_=d;m<_;m++){let p=c.getX(m);Cc.fromBufferAttribute(f,p),t0(Cc,p,l,s,t,e,this)}}else{let u=Math.max(0,o.start),d=Math.min(f.count,o.start+o.count);for(let m=u,_=d;m<_;m++)Cc.fromBufferAttribute(f,m),t0(Cc,m,l,s,t,e,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function t0(i,t,e,n,s,r,o){let a=Qf.distanceSqToPoint(i);if(a<e){let l=new U;Qf.closestPointToPoint(i,l),l.applyMatrix4(n);let c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var Ka=class extends ii{constructor(t=[],e=Gr,n,s,r,o,a,l,c,h){super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}},Dr=class extends ii{constructor(t,e,n,s,r,o,a,l,c){super(t,e,n,s,r,o,a,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}};var Os=class extends ii{constructor(t,e,n=Di,s,r,o,a=Fn,l=Fn,c,h=Is,f=1){if(h!==Is&&h!==zs)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let u={width:t,height:e,depth:f};super(u,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new zo(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},ja=class extends Os{constructor(t,e=Di,n=Gr,s,r,o=Fn,a=Fn,l,c=Is){let h={width:t,height:t,depth:1},f=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,l,c),this.image=f,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},Qa=class extends ii{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},rr=class i extends me{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],f=[],u=0,d=0;m("z","y","x",-1,-1,n,e,t,o,r,0),m("z","y","x",1,-1,n,e,-t,o,r,1),m("x","z","y",1,1,t,n,e,s,o,2),m("x","z","y",1,-1,t,n,-e,s,o,3),m("x","y","z",1,-1,t,e,n,s,r,4),m("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new Te(c,3)),this.setAttribute("normal",new Te(h,3)),this.setAttribute("uv",new Te(f,2));function m(_,p,g,v,A,S,R,C,x,w,F){let L=S/x,D=R/w,V=S/2,W=R/2,O=C/2,X=x+1,Y=w+1,H=0,ct=0,K=new U;for(let Q=0;Q<Y;Q++){let st=Q*D-W;for(let ft=0;ft<X;ft++){let ut=ft*L-V;K[_]=ut*v,K[p]=st*A,K[g]=O,c.push(K.x,K.y,K.z),K[_]=0,K[p]=0,K[g]=C>0?1:-1,h.push(K.x,K.y,K.z),f.push(ft/x),f.push(1-Q/w),H+=1}}for(let Q=0;Q<w;Q++)for(let st=0;st<x;st++){let ft=u+st+X*Q,ut=u+st+X*(Q+1),tt=u+(st+1)+X*(Q+1),mt=u+(st+1)+X*Q;l.push(ft,ut,mt),l.push(ut,tt,mt),ct+=6}a.addGroup(d,ct,F),d+=ct,u+=H}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};var tl=class i extends me{constructor(t=1,e=32,n=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:t,segments:e,thetaStart:n,thetaLength:s},e=Math.max(3,e);let r=[],o=[],a=[],l=[],c=new U,h=new Vt;o.push(0,0,0),a.push(0,0,1),l.push(.5,.5);for(let f=0,u=3;f<=e;f++,u+=3){let d=n+f/e*s;c.x=t*Math.cos(d),c.y=t*Math.sin(d),o.push(c.x,c.y,c.z),a.push(0,0,1),h.x=(o[u]/t+1)/2,h.y=(o[u+1]/t+1)/2,l.push(h.x,h.y)}for(let f=1;f<=e;f++)r.push(f,f+1,0);this.setIndex(r),this.setAttribute("position",new Te(o,3)),this.setAttribute("normal",new Te(a,3)),this.setAttribute("uv",new Te(l,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.segments,t.thetaStart,t.thetaLength)}},or=class i extends me{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],f=[],u=[],d=[],m=0,_=[],p=n/2,g=0;v(),o===!1&&(t>0&&A(!0),e>0&&A(!1)),this.setIndex(h),this.setAttribute("position",new Te(f,3)),this.setAttribute("normal",new Te(u,3)),this.setAttribute("uv",new Te(d,2));function v(){let S=new U,R=new U,C=0,x=(e-t)/n;for(let w=0;w<=r;w++){let F=[],L=w/r,D=L*(e-t)+t;for(let V=0;V<=s;V++){let W=V/s,O=W*l+a,X=Math.sin(O),Y=Math.cos(O);R.x=D*X,R.y=-L*n+p,R.z=D*Y,f.push(R.x,R.y,R.z),S.set(X,x,Y).normalize(),u.push(S.x,S.y,S.z),d.push(W,1-L),F.push(m++)}_.push(F)}for(let w=0;w<s;w++)for(let F=0;F<r;F++){let L=_[F][w],D=_[F+1][w],V=_[F+1][w+1],W=_[F][w+1];(t>0||F!==0)&&(h.push(L,D,W),C+=3),(e>0||F!==r-1)&&(h.push(D,V,W),C+=3)}c.addGroup(g,C,0),g+=C}function A(S){let R=m,C=new Vt,x=new U,w=0,F=S===!0?t:e,L=S===!0?1:-1;for(let V=1;V<=s;V++)f.push(0,p*L,0),u.push(0,L,0),d.push(.5,.5),m++;let D=m;for(let V=0;V<=s;V++){let O=V/s*l+a,X=Math.cos(O),Y=Math.sin(O);x.x=F*Y,x.y=p*L,x.z=F*X,f.push(x.x,x.y,x.z),u.push(0,L,0),C.x=X*.5+.5,C.y=Y*.5*L+.5,d.push(C.x,C.y),m++}for(let V=0;V<s;V++){let W=R+V,O=D+V;S===!0?h.push(O,O+1,W):h.push(O+1,O,W),w+=3}c.addGroup(g,w,S===!0?1:2),g+=w}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Nr=class i extends or{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Qc=class i extends me{constructor(t=[],e=[],n=1,s=0){super(),this.type="PolyhedronGeometry",this.parameters={vertices:t,indices:e,radius:n,detail:s};let r=[],o=[];a(s),c(n),h(),this.setAttribute("position",new Te(r,3)),this.setAttribute("normal",new Te(r.slice(),3)),this.setAttribute("uv",new Te(o,2)),s===0?this.computeVertexNormals():this.normalizeNormals();function a(v){let A=new U,S=new U,R=new U;for(let C=0;C<e.length;C+=3)d(e[C+0],A),d(e[C+1],S),d(e[C+2],R),l(A,S,R,v)}function l(v,A,S,R){let C=R+1,x=[];for(let w=0;w<=C;w++){x[w]=[];let F=v.clone().lerp(S,w/C),L=A.clone().lerp(S,w/C),D=C-w;for(let V=0;V<=D;V++)V===0&&w===C?x[w][V]=F:x[w][V]=F.clone().lerp(L,V/D)}for(let w=0;w<C;w++)for(let F=0;F<2*(C-w)-1;F++){let L=Math.floor(F/2);F%2===0?(u(x[w][L+1]),u(x[w+1][L]),u(x[w][L])):(u(x[w][L+1]),u(x[w+1][L+1]),u(x[w+1][L]))}}function c(v){let A=new U;for(let S=0;S<r.length;S+=3)A.x=r[S+0],A.y=r[S+1],A.z=r[S+2],A.normalize().multiplyScalar(v),r[S+0]=A.x,r[S+1]=A.y,r[S+2]=A.z}function h(){let v=new U;for(let A=0;A<r.length;A+=3){v.x=r[A+0],v.y=r[A+1],v.z=r[A+2];let S=p(v)/2/Math.PI+.5,R=g(v)/Math.PI+.5;o.push(S,1-R)}m(),f()}function f(){for(let v=0;v<o.length;v+=6){let A=o[v+0],S=o[v+2],R=o[v+4],C=Math.max(A,S,R),x=Math.min(A,S,R);C>.9&&x<.1&&(A<.2&&(o[v+0]+=1),S<.2&&(o[v+2]+=1),R<.2&&(o[v+4]+=1))}}function u(v){r.push(v.x,v.y,v.z)}function d(v,A){let S=v*3;A.x=t[S+0],A.y=t[S+1],A.z=t[S+2]}function m(){let v=new U,A=new U,S=new U,R=new U,C=new Vt,x=new Vt,w=new Vt;for(let F=0,L=0;F<r.length;F+=9,L+=6){v.set(r[F+0],r[F+1],r[F+2]),A.set(r[F+3],r[F+4],r[F+5]),S.set(r[F+6],r[F+7],r[F+8]),C.set(o[L+0],o[L+1]),x.set(o[L+2],o[L+3]),w.set(o[L+4],o[L+5]),R.copy(v).add(A).add(S).divideScalar(3);let D=p(R);_(C,L+0,v,D),_(x,L+2,A,D),_(w,L+4,S,D)}}function _(v,A,S,R){R<0&&v.x===1&&(o[A]=v.x-1),S.x===0&&S.z===0&&(o[A]=R/2/Math.PI+.5)}function p(v){return Math.atan2(v.z,-v.x)}function g(v){return Math.atan2(-v.y,Math.sqrt(v.x*v.x+v.z*v.z))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.vertices,t.indices,t.radius,t.detail)}};var Rc=new U,Pc=new U,qf=new U,Ic=new os,el=class extends me{constructor(t=null,e=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:t,thresholdAngle:e},t!==null){let s=Math.pow(10,4),r=Math.cos(No*e),o=t.getIndex(),a=t.getAttribute("position"),l=o?o.count:a.count,c=[0,0,0],h=["a","b","c"],f=new Array(3),u=new Map,d=[];for(let m=0;m<l;m+=3){o?(c[0]=o.getX(m),c[1]=o.getX(m+1),c[2]=o.getX(m+2)):(c[0]=m,c[1]=m+1,c[2]=m+2);let{a:_,b:p,c:g}=Ic;if(_.fromBufferAttribute(a,c[0]),p.fromBufferAttribute(a,c[1]),g.fromBufferAttribute(a,c[2]),Ic.getNormal(qf),f[0]=`${Math.round(_.x*s)},${Math.round(_.y*s)},${Math.round(_.z*s)}`,f[1]=`${Math.round(p.x*s)},${Math.round(p.y*s)},${Math.round(p.z*s)}`,f[2]=`${Math.round(g.x*s)},${Math.round(g.y*s)},${Math.round(g.z*s)}`,!(f[0]===f[1]||f[1]===f[2]||f[2]===f[0]))for(let v=0;v<3;v++){let A=(v+1)%3,S=f[v],R=f[A],C=Ic[h[v]],x=Ic[h[A]],w=`${S}_${R}`,F=`${R}_${S}`,L=u.get(F);L?(qf.dot(L.normal)<=r&&(d.push(C.x,C.y,C.z),d.push(x.x,x.y,x.z)),u.set(F,null)):u.has(w)||u.set(w,{index0:c[v],index1:c[A],normal:qf.clone()})}}for(let m of u.values())if(m){let{index0:_,index1:p}=m;Rc.fromBufferAttribute(a,_),Pc.fromBufferAttribute(a,p),d.push(Rc.x,Rc.y,Rc.z),d.push(Pc.x,Pc.y,Pc.z)}this.setAttribute("position",new Te(d,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}};var nl=class i extends Qc{constructor(t=1,e=0){let n=(1+Math.sqrt(5))/2,s=[-1,n,0,1,n,0,-1,-n,0,1,-n,0,0,-1,n,0,1,n,0,-1,-n,0,1,-n,n,0,-1,n,0,1,-n,0,-1,-n,0,1],r=[0,11,5,0,5,1,0,1,7,0,7,10,0,10,11,1,5,9,5,11,4,11,10,2,10,7,6,7,1,8,3,9,4,3,4,2,3,2,6,3,6,8,3,8,9,4,9,5,2,4,11,6,2,10,8,6,7,9,8,1];super(s,r,t,e),this.type="IcosahedronGeometry",this.parameters={radius:t,detail:e}}static fromJSON(t){return new i(t.radius,t.detail)}};var Or=class i extends me{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,f=t/a,u=e/l,d=[],m=[],_=[],p=[];for(let g=0;g<h;g++){let v=g*u-o;for(let A=0;A<c;A++){let S=A*f-r;m.push(S,-v,0),_.push(0,0,1),p.push(A/a),p.push(1-g/l)}}for(let g=0;g<l;g++)for(let v=0;v<a;v++){let A=v+c*g,S=v+c*(g+1),R=v+1+c*(g+1),C=v+1+c*g;d.push(A,S,C),d.push(S,R,C)}this.setIndex(d),this.setAttribute("position",new Te(m,3)),this.setAttribute("normal",new Te(_,3)),this.setAttribute("uv",new Te(p,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}},il=class i extends me{constructor(t=.5,e=1,n=32,s=1,r=0,o=Math.PI*2){super(),this.type="RingGeometry",this.parameters={innerRadius:t,outerRadius:e,thetaSegments:n,phiSegments:s,thetaStart:r,thetaLength:o},n=Math.max(3,n),s=Math.max(1,s);let a=[],l=[],c=[],h=[],f=t,u=(e-t)/s,d=new U,m=new Vt;for(let _=0;_<=s;_++){for(let p=0;p<=n;p++){let g=r+p/n*o;d.x=f*Math.cos(g),d.y=f*Math.sin(g),l.push(d.x,d.y,d.z),c.push(0,0,1),m.x=(d.x/e+1)/2,m.y=(d.y/e+1)/2,h.push(m.x,m.y)}f+=u}for(let _=0;_<s;_++){let p=_*(n+1);for(let g=0;g<n;g++){let v=g+p,A=v,S=v+n+1,R=v+n+2,C=v+1;a.push(A,S,C),a.push(S,R,C)}}this.setIndex(a),this.setAttribute("position",new Te(l,3)),this.setAttribute("normal",new Te(c,3)),this.setAttribute("uv",new Te(h,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.innerRadius,t.outerRadius,t.thetaSegments,t.phiSegments,t.thetaStart,t.thetaLength)}};var hs=class i extends me{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],f=new U,u=new U,d=[],m=[],_=[],p=[];for(let g=0;g<=n;g++){let v=[],A=g/n,S=o+A*a,R=t*Math.cos(S),C=Math.sqrt(t*t-R*R),x=0;g===0&&o===0?x=.5/e:g===n&&l===Math.PI&&(x=-.5/e);for(let w=0;w<=e;w++){let F=w/e,L=s+F*r;f.x=-C*Math.cos(L),f.y=R,f.z=C*Math.sin(L),m.push(f.x,f.y,f.z),u.copy(f).normalize(),_.push(u.x,u.y,u.z),p.push(F+x,1-A),v.push(c++)}h.push(v)}for(let g=0;g<n;g++)for(let v=0;v<e;v++){let A=h[g][v+1],S=h[g][v],R=h[g+1][v],C=h[g+1][v+1];(g!==0||o>0)&&d.push(A,S,C),(g!==n-1||l<Math.PI)&&d.push(S,R,C)}this.setIndex(d),this.setAttribute("position",new Te(m,3)),this.setAttribute("normal",new Te(_,3)),this.setAttribute("uv",new Te(p,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};var sl=class extends wi{constructor(t){super(),this.isShadowMaterial=!0,this.type="ShadowMaterial",this.color=new zt(0),this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.fog=t.fog,this}};function Wr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(e0(s))s.isRenderTargetTexture?(Yt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(e0(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function $n(i){let t={};for(let e=0;e<i.length;e++){let n=Wr(i[e]);for(let s in n)t[s]=n[s]}return t}function e0(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function dM(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Nd(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:_e.workingColorSpace}var Y0={clone:Wr,merge:$n},pM=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,mM=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Li=class extends wi{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=pM,this.fragmentShader=mM,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=Wr(t.uniforms),this.uniformsGroups=dM(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new zt().setHex(s.value);break;case"v2":this.uniforms[n].value=new Vt().fromArray(s.value);break;case"v3":this.uniforms[n].value=new U().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Qe().fromArray(s.value);break;case"m3":this.uniforms[n].value=new ne().fromArray(s.value);break;case"m4":this.uniforms[n].value=new ye().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},th=class extends Li{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},Us=class extends wi{constructor(t){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new zt(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new zt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=_l,this.normalScale=new Vt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ls,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.defines={STANDARD:""},this.color.copy(t.color),this.roughness=t.roughness,this.metalness=t.metalness,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.roughnessMap=t.roughnessMap,this.metalnessMap=t.metalnessMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.envMapIntensity=t.envMapIntensity,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}};var Fs=class extends wi{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new zt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new zt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=_l,this.normalScale=new Vt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ls,this.combine=mh,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},eh=class extends wi{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=N0,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},nh=class extends wi{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function Io(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function Lc(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var ar=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},ih=class extends ar{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Zf,endingEnd:Zf}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Jf:r=t,a=2*e-n;break;case Kf:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case Jf:o=t,l=2*n-e;break;case Kf:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,f=this._offsetNext,u=this._weightPrev,d=this._weightNext,m=(n-e)/(s-e),_=m*m,p=_*m,g=-u*p+2*u*_-u*m,v=(1+u)*p+(-1.5-2*u)*_+(-.5+u)*m+1,A=(-1-d)*p+(1.5+d)*_+.5*m,S=d*p-d*_;for(let R=0;R!==a;++R)r[R]=g*o[h+R]+v*o[c+R]+A*o[l+R]+S*o[f+R];return r}},sh=class extends ar{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),f=1-h;for(let u=0;u!==a;++u)r[u]=o[c+u]*f+o[l+u]*h;return r}},rh=class extends ar{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},oh=class extends ar{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,f=this.outTangents;if(!h||!f){let m=(n-e)/(s-e),_=1-m;for(let p=0;p!==a;++p)r[p]=o[c+p]*_+o[l+p]*m;return r}let u=a*2,d=t-1;for(let m=0;m!==a;++m){let _=o[c+m],p=o[l+m],g=d*u+m*2,v=f[g],A=f[g+1],S=t*u+m*2,R=h[S],C=h[S+1],x=_M(n,e,v,R,s);r[m]=Z0(x,_,A,C,p)}return r}};function Z0(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function gM(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function _M(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=Z0(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let l=gM(r,t,e,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var Ti=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=Io(e,this.TimeBufferType),this.values=Io(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:Io(t.times,Array),values:Io(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),Lc(t.settings)&&(n.settings={inTangents:Io(t.settings.inTangents,Array),outTangents:Io(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new rh(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new sh(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new ih(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new oh(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Fa:e=this.InterpolantFactoryMethodDiscrete;break;case qc:e=this.InterpolantFactoryMethodLinear;break;case Oc:e=this.InterpolantFactoryMethodSmooth;break;case Yf:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Yt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Fa;case this.InterpolantFactoryMethodLinear:return qc;case this.InterpolantFactoryMethodSmooth:return Oc;case this.InterpolantFactoryMethodBezier:return Yf}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;Lc(this.settings)&&(n0(this.settings.inTangents,t),n0(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;Lc(this.settings)&&(i0(this.settings.inTangents,t),i0(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(jt("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(jt("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){jt("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){jt("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&TS(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){jt("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Oc,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let f=a*n,u=f-n,d=f+n;for(let m=0;m!==n;++m){let _=e[f+m];if(_!==e[u+m]||_!==e[d+m]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let f=a*n,u=o*n;for(let d=0;d!==n;++d)e[u+d]=e[f+d]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,Lc(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function n0(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function i0(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}Ti.prototype.ValueTypeName="";Ti.prototype.TimeBufferType=Float32Array;Ti.prototype.ValueBufferType=Float32Array;Ti.prototype.DefaultInterpolation=qc;var lr=class extends Ti{constructor(t,e,n){super(t,e,n)}};lr.prototype.ValueTypeName="bool";lr.prototype.ValueBufferType=Array;lr.prototype.DefaultInterpolation=Fa;lr.prototype.InterpolantFactoryMethodLinear=void 0;lr.prototype.InterpolantFactoryMethodSmooth=void 0;var ah=class extends Ti{constructor(t,e,n,s){super(t,e,n,s)}};ah.prototype.ValueTypeName="color";var lh=class extends Ti{constructor(t,e,n,s){super(t,e,n,s)}};lh.prototype.ValueTypeName="number";var ch=class extends ar{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)qn.slerpFlat(r,0,o,c-a,o,c,l);return r}},rl=class extends Ti{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new ch(this.times,this.values,this.getValueSize(),t)}};rl.prototype.ValueTypeName="quaternion";rl.prototype.InterpolantFactoryMethodSmooth=void 0;var cr=class extends Ti{constructor(t,e,n){super(t,e,n)}};cr.prototype.ValueTypeName="string";cr.prototype.ValueBufferType=Array;cr.prototype.DefaultInterpolation=Fa;cr.prototype.InterpolantFactoryMethodLinear=void 0;cr.prototype.InterpolantFactoryMethodSmooth=void 0;var hh=class extends Ti{constructor(t,e,n,s){super(t,e,n,s)}};hh.prototype.ValueTypeName="vector";var uh=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,f){return c.push(h,f),this},this.removeHandler=function(h){let f=c.indexOf(h);return f!==-1&&c.splice(f,2),this},this.getHandler=function(h){for(let f=0,u=c.length;f<u;f+=2){let d=c[f],m=c[f+1];if(d.global&&(d.lastIndex=0),d.test(h))return m}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},J0=new uh,fh=class{constructor(t){this.manager=t!==void 0?t:J0,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};fh.DEFAULT_MATERIAL_NAME="__DEFAULT";var ol=class extends En{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new zt(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}},Ur=class extends ol{constructor(t,e,n){super(t,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(En.DEFAULT_UP),this.updateMatrix(),this.groundColor=new zt(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}toJSON(t){let e=super.toJSON(t);return e.object.groundColor=this.groundColor.getHex(),e}},$f=new ye,s0=new U,r0=new U,dh=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new Vt(512,512),this.mapType=ci,this.map=null,this.mapPass=null,this.matrix=new ye,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Ns,this._frameExtents=new Vt(1,1),this._viewportCount=1,this._viewports=[new Qe(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;s0.setFromMatrixPosition(t.matrixWorld),e.position.copy(s0),r0.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(r0),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,n,s){$f.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),n.setFromProjectionMatrix($f,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,l=s?s.x/r.x:0,c=s?s.y/r.y:0;t.coordinateSystem===Fo||t.reversedDepth?e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),e.multiply($f)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},Dc=new U,Nc=new qn,rs=new U,al=class extends En{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new ye,this.projectionMatrix=new ye,this.projectionMatrixInverse=new ye,this.coordinateSystem=Ii,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Dc,Nc,rs),rs.x===1&&rs.y===1&&rs.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Dc,Nc,rs.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(Dc,Nc,rs),rs.x===1&&rs.y===1&&rs.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Dc,Nc,rs.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},ir=new U,o0=new Vt,a0=new Vt,un=class extends al{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=ko*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(No*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return ko*2*Math.atan(Math.tan(No*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){ir.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(ir.x,ir.y).multiplyScalar(-t/ir.z),ir.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(ir.x,ir.y).multiplyScalar(-t/ir.z)}getViewSize(t,e){return this.getViewBounds(t,o0,a0),e.subVectors(a0,o0)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(No*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var Fr=class extends al{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},td=class extends dh{constructor(){super(new Fr(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},Bs=class extends ol{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(En.DEFAULT_UP),this.updateMatrix(),this.target=new En,this.shadow=new td}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}};var Lo=-90,Do=1,Xo=class extends En{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new un(Lo,Do,t,e);s.layers=this.layers,this.add(s);let r=new un(Lo,Do,t,e);r.layers=this.layers,this.add(r);let o=new un(Lo,Do,t,e);o.layers=this.layers,this.add(o);let a=new un(Lo,Do,t,e);a.layers=this.layers,this.add(a);let l=new un(Lo,Do,t,e);l.layers=this.layers,this.add(l);let c=new un(Lo,Do,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===Ii)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Fo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,f=t.getRenderTarget(),u=t.getActiveCubeFace(),d=t.getActiveMipmapLevel(),m=t.xr.enabled;t.xr.enabled=!1;let _=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let p=!1;t.isWebGLRenderer===!0?p=t.state.buffers.depth.getReversed():p=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),p&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),p&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),p&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),p&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(n,4,s),p&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),n.texture.mipmapsAutoUpdate=_,t.setRenderTarget(n,5,s),p&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(f,u,d),t.xr.enabled=m,n.texture.needsPMREMUpdate=!0}},ph=class extends un{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Od="\\[\\]\\.:\\/",xM=new RegExp("["+Od+"]","g"),Ud="[^"+Od+"]",vM="[^"+Od.replace("\\.","")+"]",yM=/((?:WC+[\/:])*)/.source.replace("WC",Ud),SM=/(WCOD+)?/.source.replace("WCOD",vM),MM=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Ud),bM=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Ud),wM=new RegExp("^"+yM+SM+MM+bM+"$"),TM=["material","materials","bones","map"],ed=class{constructor(t,e,n){let s=n||Je.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},Je=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(xM,"")}static parseTrackName(t){let e=wM.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);TM.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Yt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){jt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){jt("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){jt("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){jt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){jt("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){jt("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){jt("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;jt("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){jt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){jt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Je.Composite=ed;Je.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Je.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Je.prototype.GetterByBindingType=[Je.prototype._getValue_direct,Je.prototype._getValue_array,Je.prototype._getValue_arrayElement,Je.prototype._getValue_toArray];Je.prototype.SetterByBindingTypeAndVersioning=[[Je.prototype._setValue_direct,Je.prototype._setValue_direct_setNeedsUpdate,Je.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_array,Je.prototype._setValue_array_setNeedsUpdate,Je.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_arrayElement,Je.prototype._setValue_arrayElement_setNeedsUpdate,Je.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_fromArray,Je.prototype._setValue_fromArray_setNeedsUpdate,Je.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var vR=new Float32Array(1);var l0=new ye,Br=class{constructor(t,e,n=0,s=1/0){this.ray=new Ls(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new Vo,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,e.projectionMatrix.elements[14]).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):jt("Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return l0.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(l0),this}intersectObject(t,e=!0,n=[]){return nd(t,this,n,e),n.sort(c0),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)nd(t[s],this,n,e);return n.sort(c0),n}};function c0(i,t){return i.distance-t.distance}function nd(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){let r=i.children;for(let o=0,a=r.length;o<a;o++)nd(r[o],t,e,!0)}}var qo=class{constructor(t=1,e=0,n=0){this.radius=t,this.phi=e,this.theta=n}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=pe(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(pe(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var id=class{static{this.prototype.isMatrix2=!0}constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};var ll=class extends Wi{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function Fd(i,t,e,n){let s=EM(n);switch(e){case Md:return i*t;case Mh:return i*t/s.components*s.byteLength;case hl:return i*t/s.components*s.byteLength;case ur:return i*t*2/s.components*s.byteLength;case bh:return i*t*2/s.components*s.byteLength;case bd:return i*t*3/s.components*s.byteLength;case Mi:return i*t*4/s.components*s.byteLength;case wh:return i*t*4/s.components*s.byteLength;case ul:case fl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case dl:case pl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Eh:case Ch:return Math.max(i,16)*Math.max(t,8)/4;case Th:case Ah:return Math.max(i,8)*Math.max(t,8)/2;case Rh:case Ph:case Lh:case Dh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Ih:case ml:case Nh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Oh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Uh:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Fh:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Bh:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case kh:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case zh:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Vh:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case Gh:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Hh:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Wh:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Xh:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case qh:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case $h:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Yh:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case Zh:case Jh:case Kh:return Math.ceil(i/4)*Math.ceil(t/4)*16;case jh:case Qh:return Math.ceil(i/4)*Math.ceil(t/4)*8;case gl:case tu:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function EM(i){switch(i){case ci:case xd:return{byteLength:1,components:1};case Jo:case vd:case qi:return{byteLength:2,components:1};case yh:case Sh:return{byteLength:2,components:4};case Di:case vh:case li:return{byteLength:4,components:1};case yd:case Sd:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Yt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function x_(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function CM(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,f=c.byteLength,u=i.createBuffer();i.bindBuffer(l,u),i.bufferData(l,c,h),a.onUploadCallback();let d;if(c instanceof Float32Array)d=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)d=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?d=i.HALF_FLOAT:d=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)d=i.SHORT;else if(c instanceof Uint32Array)d=i.UNSIGNED_INT;else if(c instanceof Int32Array)d=i.INT;else if(c instanceof Int8Array)d=i.BYTE;else if(c instanceof Uint8Array)d=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)d=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:u,type:d,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:f}}function n(a,l,c){let h=l.array,f=l.updateRanges;if(i.bindBuffer(c,a),f.length===0)i.bufferSubData(c,0,h);else{f.sort((d,m)=>d.start-m.start);let u=0;for(let d=1;d<f.length;d++){let m=f[u],_=f[d];_.start<=m.start+m.count+1?m.count=Math.max(m.count,_.start+_.count-m.start):(++u,f[u]=_)}f.length=u+1;for(let d=0,m=f.length;d<m;d++){let _=f[d];i.bufferSubData(c,_.start*h.BYTES_PER_ELEMENT,h,_.start,_.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var RM=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,PM=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,IM=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,LM=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,DM=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,NM=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,OM=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,UM=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,FM=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,BM=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,kM=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,zM=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,VM=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,GM=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,HM=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,WM=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,XM=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,qM=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,$M=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,YM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,ZM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,JM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,KM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,jM=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,QM=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,tb=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,eb=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,nb=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,ib=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,sb="gl_FragColor = linearToOutputTexel( gl_FragColor );",rb=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,ob=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,ab=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,lb=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,cb=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,hb=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,ub=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fb=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,db=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,pb=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,mb=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,gb=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,_b=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,xb=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,vb=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,yb=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,Sb=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,Mb=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,bb=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,wb=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Tb=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Eb=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,Ab=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,Cb=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Rb=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Pb=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,Ib=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Lb=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Db=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Nb=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Ob=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Ub=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Fb=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Bb=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,kb=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,zb=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Vb=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Gb=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Hb=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Wb=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Xb=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,qb=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,$b=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Yb=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Zb=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Jb=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Kb=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,jb=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,Qb=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,tw=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,ew=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,nw=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,iw=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,sw=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,rw=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,ow=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,aw=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,lw=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,cw=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,hw=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,uw=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,fw=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,dw=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,pw=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,mw=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,gw=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,_w=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,xw=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,vw=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,yw=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,Sw=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,Mw=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,bw=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,ww=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Tw=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Ew=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,Aw=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,Cw=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Rw=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Pw=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Iw=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Lw=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Dw=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Nw=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Ow=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Uw=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,Fw=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,Bw=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,kw=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,zw=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Vw=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Gw=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Hw=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Ww=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Xw=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,qw=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,$w=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Yw=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Zw=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,Jw=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Kw=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,jw=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,Qw=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,t1=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,e1=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,n1=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,i1=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,s1=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,r1=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,o1=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,a1=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,he={alphahash_fragment:RM,alphahash_pars_fragment:PM,alphamap_fragment:IM,alphamap_pars_fragment:LM,alphatest_fragment:DM,alphatest_pars_fragment:NM,aomap_fragment:OM,aomap_pars_fragment:UM,batching_pars_vertex:FM,batching_vertex:BM,begin_vertex:kM,beginnormal_vertex:zM,bsdfs:VM,iridescence_fragment:GM,bumpmap_pars_fragment:HM,clipping_planes_fragment:WM,clipping_planes_pars_fragment:XM,clipping_planes_pars_vertex:qM,clipping_planes_vertex:$M,color_fragment:YM,color_pars_fragment:ZM,color_pars_vertex:JM,color_vertex:KM,common:jM,defaultnormal_vertex:QM,displacementmap_pars_vertex:tb,displacementmap_vertex:eb,emissivemap_fragment:nb,emissivemap_pars_fragment:ib,colorspace_fragment:sb,colorspace_pars_fragment:rb,envmap_fragment:ob,envmap_common_pars_fragment:ab,envmap_pars_fragment:lb,envmap_pars_vertex:cb,envmap_physical_pars_fragment:yb,envmap_vertex:hb,fog_vertex:ub,fog_pars_vertex:fb,fog_fragment:db,fog_pars_fragment:pb,gradientmap_pars_fragment:mb,lightmap_pars_fragment:gb,lights_lambert_fragment:_b,lights_lambert_pars_fragment:xb,lights_pars_begin:vb,lights_toon_fragment:Sb,lights_toon_pars_fragment:Mb,lights_phong_fragment:bb,lights_phong_pars_fragment:wb,lights_physical_fragment:Tb,lights_physical_pars_fragment:Eb,lights_fragment_begin:Ab,lights_fragment_maps:Cb,lights_fragment_end:Rb,lightprobes_pars_fragment:Pb,logdepthbuf_fragment:Ib,logdepthbuf_pars_fragment:Lb,logdepthbuf_pars_vertex:Db,logdepthbuf_vertex:Nb,map_fragment:Ob,map_pars_fragment:Ub,map_particle_fragment:Fb,map_particle_pars_fragment:Bb,metalnessmap_fragment:kb,metalnessmap_pars_fragment:zb,morphinstance_vertex:Vb,morphcolor_vertex:Gb,morphnormal_vertex:Hb,morphtarget_pars_vertex:Wb,morphtarget_vertex:Xb,normal_fragment_begin:qb,normal_fragment_maps:$b,normal_pars_fragment:Yb,normal_pars_vertex:Zb,normal_vertex:Jb,normalmap_pars_fragment:Kb,clearcoat_normal_fragment_begin:jb,clearcoat_normal_fragment_maps:Qb,clearcoat_pars_fragment:tw,iridescence_pars_fragment:ew,opaque_fragment:nw,packing:iw,premultiplied_alpha_fragment:sw,project_vertex:rw,dithering_fragment:ow,dithering_pars_fragment:aw,roughnessmap_fragment:lw,roughnessmap_pars_fragment:cw,shadowmap_pars_fragment:hw,shadowmap_pars_vertex:uw,shadowmap_vertex:fw,shadowmask_pars_fragment:dw,skinbase_vertex:pw,skinning_pars_vertex:mw,skinning_vertex:gw,skinnormal_vertex:_w,specularmap_fragment:xw,specularmap_pars_fragment:vw,tonemapping_fragment:yw,tonemapping_pars_fragment:Sw,transmission_fragment:Mw,transmission_pars_fragment:bw,uv_pars_fragment:ww,uv_pars_vertex:Tw,uv_vertex:Ew,worldpos_vertex:Aw,background_vert:Cw,background_frag:Rw,backgroundCube_vert:Pw,backgroundCube_frag:Iw,cube_vert:Lw,cube_frag:Dw,depth_vert:Nw,depth_frag:Ow,distance_vert:Uw,distance_frag:Fw,equirect_vert:Bw,equirect_frag:kw,linedashed_vert:zw,linedashed_frag:Vw,meshbasic_vert:Gw,meshbasic_frag:Hw,meshlambert_vert:Ww,meshlambert_frag:Xw,meshmatcap_vert:qw,meshmatcap_frag:$w,meshnormal_vert:Yw,meshnormal_frag:Zw,meshphong_vert:Jw,meshphong_frag:Kw,meshphysical_vert:jw,meshphysical_frag:Qw,meshtoon_vert:t1,meshtoon_frag:e1,points_vert:n1,points_frag:i1,shadow_vert:s1,shadow_frag:r1,sprite_vert:o1,sprite_frag:a1},Lt={common:{diffuse:{value:new zt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ne},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ne}},envmap:{envMap:{value:null},envMapRotation:{value:new ne},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ne}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ne}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ne},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ne},normalScale:{value:new Vt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ne},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ne}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ne}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ne}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new zt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new zt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0},uvTransform:{value:new ne}},sprite:{diffuse:{value:new zt(16777215)},opacity:{value:1},center:{value:new Vt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ne},alphaMap:{value:null},alphaMapTransform:{value:new ne},alphaTest:{value:0}}},ms={basic:{uniforms:$n([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.fog]),vertexShader:he.meshbasic_vert,fragmentShader:he.meshbasic_frag},lambert:{uniforms:$n([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new zt(0)},envMapIntensity:{value:1}}]),vertexShader:he.meshlambert_vert,fragmentShader:he.meshlambert_frag},phong:{uniforms:$n([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new zt(0)},specular:{value:new zt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:he.meshphong_vert,fragmentShader:he.meshphong_frag},standard:{uniforms:$n([Lt.common,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.roughnessmap,Lt.metalnessmap,Lt.fog,Lt.lights,{emissive:{value:new zt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:he.meshphysical_vert,fragmentShader:he.meshphysical_frag},toon:{uniforms:$n([Lt.common,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.gradientmap,Lt.fog,Lt.lights,{emissive:{value:new zt(0)}}]),vertexShader:he.meshtoon_vert,fragmentShader:he.meshtoon_frag},matcap:{uniforms:$n([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,{matcap:{value:null}}]),vertexShader:he.meshmatcap_vert,fragmentShader:he.meshmatcap_frag},points:{uniforms:$n([Lt.points,Lt.fog]),vertexShader:he.points_vert,fragmentShader:he.points_frag},dashed:{uniforms:$n([Lt.common,Lt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:he.linedashed_vert,fragmentShader:he.linedashed_frag},depth:{uniforms:$n([Lt.common,Lt.displacementmap]),vertexShader:he.depth_vert,fragmentShader:he.depth_frag},normal:{uniforms:$n([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,{opacity:{value:1}}]),vertexShader:he.meshnormal_vert,fragmentShader:he.meshnormal_frag},sprite:{uniforms:$n([Lt.sprite,Lt.fog]),vertexShader:he.sprite_vert,fragmentShader:he.sprite_frag},background:{uniforms:{uvTransform:{value:new ne},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:he.background_vert,fragmentShader:he.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ne}},vertexShader:he.backgroundCube_vert,fragmentShader:he.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:he.cube_vert,fragmentShader:he.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:he.equirect_vert,fragmentShader:he.equirect_frag},distance:{uniforms:$n([Lt.common,Lt.displacementmap,{referencePosition:{value:new U},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:he.distance_vert,fragmentShader:he.distance_frag},shadow:{uniforms:$n([Lt.lights,Lt.fog,{color:{value:new zt(0)},opacity:{value:1}}]),vertexShader:he.shadow_vert,fragmentShader:he.shadow_frag}};ms.physical={uniforms:$n([ms.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ne},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ne},clearcoatNormalScale:{value:new Vt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ne},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new ne},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ne},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ne},sheen:{value:0},sheenColor:{value:new zt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ne},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ne},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ne},transmissionSamplerSize:{value:new Vt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ne},attenuationDistance:{value:0},attenuationColor:{value:new zt(0)},specularColor:{value:new zt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ne},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ne},anisotropyVector:{value:new Vt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ne}}]),vertexShader:he.meshphysical_vert,fragmentShader:he.meshphysical_frag};var nu={r:0,b:0,g:0},l1=new ye,v_=new ne;v_.set(-1,0,0,0,1,0,0,0,1);function c1(i,t,e,n,s,r){let o=new zt(0),a=s===!0?0:1,l,c,h=null,f=0,u=null;function d(v){let A=v.isScene===!0?v.background:null;if(A&&A.isTexture){let S=v.backgroundBlurriness>0;A=t.get(A,S)}return A}function m(v){let A=!1,S=d(v);S===null?p(o,a):S&&S.isColor&&(p(S,1),A=!0);let R=i.xr.getEnvironmentBlendMode();R==="additive"?e.buffers.color.setClear(0,0,0,1,r):R==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||A)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function _(v,A){let S=d(A);S&&S.isCubeTexture?(c===void 0&&(c=new Me(new rr(1,1,1),new Li({name:"BackgroundCubeMaterial",uniforms:Wr(ms.backgroundCube.uniforms),vertexShader:ms.backgroundCube.vertexShader,fragmentShader:ms.backgroundCube.fragmentShader,side:zn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(R,C,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=S,c.material.uniforms.backgroundBlurriness.value=A.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(l1.makeRotationFromEuler(A.backgroundRotation)).transpose(),S.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(v_),c.material.toneMapped=_e.getTransfer(S.colorSpace)!==Pe,(h!==S||f!==S.version||u!==i.toneMapping)&&(c.material.needsUpdate=!0,h=S,f=S.version,u=i.toneMapping),c.layers.enableAll(),v.unshift(c,c.geometry,c.material,0,0,null)):S&&S.isTexture&&(l===void 0&&(l=new Me(new Or(2,2),new Li({name:"BackgroundMaterial",uniforms:Wr(ms.background.uniforms),vertexShader:ms.background.vertexShader,fragmentShader:ms.background.fragmentShader,side:hr,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=S,l.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,l.material.toneMapped=_e.getTransfer(S.colorSpace)!==Pe,S.matrixAutoUpdate===!0&&S.updateMatrix(),l.material.uniforms.uvTransform.value.copy(S.matrix),(h!==S||f!==S.version||u!==i.toneMapping)&&(l.material.needsUpdate=!0,h=S,f=S.version,u=i.toneMapping),l.layers.enableAll(),v.unshift(l,l.geometry,l.material,0,0,null))}function p(v,A){v.getRGB(nu,Nd(i)),e.buffers.color.setClear(nu.r,nu.g,nu.b,A,r)}function g(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(v,A=1){o.set(v),a=A,p(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(v){a=v,p(o,a)},render:m,addToRenderList:_,dispose:g}}function h1(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=u(null),r=s,o=!1;function a(D,V,W,O,X){let Y=!1,H=f(D,O,W,V);r!==H&&(r=H,c(r.object)),Y=d(D,O,W,X),Y&&m(D,O,W,X),X!==null&&t.update(X,i.ELEMENT_ARRAY_BUFFER),(Y||o)&&(o=!1,S(D,V,W,O),X!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(X).buffer))}function l(){return i.createVertexArray()}function c(D){return i.bindVertexArray(D)}function h(D){return i.deleteVertexArray(D)}function f(D,V,W,O){let X=O.wireframe===!0,Y=n[V.id];Y===void 0&&(Y={},n[V.id]=Y);let H=D.isInstancedMesh===!0?D.id:0,ct=Y[H];ct===void 0&&(ct={},Y[H]=ct);let K=ct[W.id];K===void 0&&(K={},ct[W.id]=K);let Q=K[X];return Q===void 0&&(Q=u(l()),K[X]=Q),Q}function u(D){let V=[],W=[],O=[];for(let X=0;X<e;X++)V[X]=0,W[X]=0,O[X]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:V,enabledAttributes:W,attributeDivisors:O,object:D,attributes:{},index:null}}function d(D,V,W,O){let X=r.attributes,Y=V.attributes,H=0,ct=W.getAttributes();for(let K in ct)if(ct[K].location>=0){let st=X[K],ft=Y[K];if(ft===void 0&&(K==="instanceMatrix"&&D.instanceMatrix&&(ft=D.instanceMatrix),K==="instanceColor"&&D.instanceColor&&(ft=D.instanceColor)),st===void 0||st.attribute!==ft||ft&&st.data!==ft.data)return!0;H++}return r.attributesNum!==H||r.index!==O}function m(D,V,W,O){let X={},Y=V.attributes,H=0,ct=W.getAttributes();for(let K in ct)if(ct[K].location>=0){let st=Y[K];st===void 0&&(K==="instanceMatrix"&&D.instanceMatrix&&(st=D.instanceMatrix),K==="instanceColor"&&D.instanceColor&&(st=D.instanceColor));let ft={};ft.attribute=st,st&&st.data&&(ft.data=st.data),X[K]=ft,H++}r.attributes=X,r.attributesNum=H,r.index=O}function _(){let D=r.newAttributes;for(let V=0,W=D.length;V<W;V++)D[V]=0}function p(D){g(D,0)}function g(D,V){let W=r.newAttributes,O=r.enabledAttributes,X=r.attributeDivisors;W[D]=1,O[D]===0&&(i.enableVertexAttribArray(D),O[D]=1),X[D]!==V&&(i.vertexAttribDivisor(D,V),X[D]=V)}function v(){let D=r.newAttributes,V=r.enabledAttributes;for(let W=0,O=V.length;W<O;W++)V[W]!==D[W]&&(i.disableVertexAttribArray(W),V[W]=0)}function A(D,V,W,O,X,Y,H){H===!0?i.vertexAttribIPointer(D,V,W,X,Y):i.vertexAttribPointer(D,V,W,O,X,Y)}function S(D,V,W,O){_();let X=O.attributes,Y=W.getAttributes(),H=V.defaultAttributeValues;for(let ct in Y){let K=Y[ct];if(K.location>=0){let Q=X[ct];if(Q===void 0&&(ct==="instanceMatrix"&&D.instanceMatrix&&(Q=D.instanceMatrix),ct==="instanceColor"&&D.instanceColor&&(Q=D.instanceColor)),Q!==void 0){let st=Q.normalized,ft=Q.itemSize,ut=t.get(Q);if(ut===void 0)continue;let tt=ut.buffer,mt=ut.type,xt=ut.bytesPerElement,At=mt===i.INT||mt===i.UNSIGNED_INT||Q.gpuType===vh;if(Q.isInterleavedBufferAttribute){let Mt=Q.data,Xt=Mt.isInterleavedBuffer===!0?Mt.stride:Mt.itemSize,re=Q.offset;if(Mt.isInstancedInterleavedBuffer||Mt.isInstancedBufferAttribute){for(let Ht=0;Ht<K.locationSize;Ht++)g(K.location+Ht,Mt.meshPerAttribute);D.isInstancedMesh!==!0&&O._maxInstanceCount===void 0&&(O._maxInstanceCount=Mt.meshPerAttribute*Mt.count)}else for(let Ht=0;Ht<K.locationSize;Ht++)p(K.location+Ht);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let Ht=0;Ht<K.locationSize;Ht++)A(K.location+Ht,ft/K.locationSize,mt,st,Xt*xt,(re+ft/K.locationSize*Ht)*xt,At)}else{if(Q.isInstancedBufferAttribute){for(let Mt=0;Mt<K.locationSize;Mt++)g(K.location+Mt,Q.meshPerAttribute);D.isInstancedMesh!==!0&&O._maxInstanceCount===void 0&&(O._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let Mt=0;Mt<K.locationSize;Mt++)p(K.location+Mt);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let Mt=0;Mt<K.locationSize;Mt++)A(K.location+Mt,ft/K.locationSize,mt,st,ft*xt,ft/K.locationSize*Mt*xt,At)}}else if(H!==void 0){let st=H[ct];if(st!==void 0)switch(st.length){case 2:i.vertexAttrib2fv(K.location,st);break;case 3:i.vertexAttrib3fv(K.location,st);break;case 4:i.vertexAttrib4fv(K.location,st);break;default:i.vertexAttrib1fv(K.location,st)}}}}v()}function R(){F();for(let D in n){let V=n[D];for(let W in V){let O=V[W];for(let X in O){let Y=O[X];for(let H in Y)h(Y[H].object),delete Y[H];delete O[X]}}delete n[D]}}function C(D){if(n[D.id]===void 0)return;let V=n[D.id];for(let W in V){let O=V[W];for(let X in O){let Y=O[X];for(let H in Y)h(Y[H].object),delete Y[H];delete O[X]}}delete n[D.id]}function x(D){for(let V in n){let W=n[V];for(let O in W){let X=W[O];if(X[D.id]===void 0)continue;let Y=X[D.id];for(let H in Y)h(Y[H].object),delete Y[H];delete X[D.id]}}}function w(D){for(let V in n){let W=n[V],O=D.isInstancedMesh===!0?D.id:0,X=W[O];if(X!==void 0){for(let Y in X){let H=X[Y];for(let ct in H)h(H[ct].object),delete H[ct];delete X[Y]}delete W[O],Object.keys(W).length===0&&delete n[V]}}}function F(){L(),o=!0,r!==s&&(r=s,c(r.object))}function L(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:F,resetDefaultState:L,dispose:R,releaseStatesOfGeometry:C,releaseStatesOfObject:w,releaseStatesOfProgram:x,initAttributes:_,enableAttribute:p,disableUnusedAttributes:v}}function u1(i,t,e){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),e.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),e.update(c,n,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let u=0;for(let d=0;d<h;d++)u+=c[d];e.update(u,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function f1(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let x=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Mi&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let w=x===qi&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(x!==ci&&x!==li&&!w&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(Yt("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let f=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),u=e.logarithmicDepthBuffer===!0&&f===!1;e.reversedDepthBuffer===!0&&f===!1&&Yt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&f===!0&&Yt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let d=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),m=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),_=i.getParameter(i.MAX_TEXTURE_SIZE),p=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),g=i.getParameter(i.MAX_VERTEX_ATTRIBS),v=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),A=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),R=i.getParameter(i.MAX_SAMPLES),C=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:u,reversedDepthBuffer:f,maxTextures:d,maxVertexTextures:m,maxTextureSize:_,maxCubemapSize:p,maxAttributes:g,maxVertexUniforms:v,maxVaryings:A,maxFragmentUniforms:S,maxSamples:R,samples:C}}function d1(i){let t=this,e=null,n=0,s=!1,r=!1,o=new Si,a=new ne,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(f,u){let d=f.length!==0||u||n!==0||s;return s=u,n=f.length,d},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(f,u){e=h(f,u,0)},this.setState=function(f,u,d){let m=f.clippingPlanes,_=f.clipIntersection,p=f.clipShadows,g=i.get(f);if(!s||m===null||m.length===0||r&&!p)r?h(null):c();else{let v=r?0:n,A=v*4,S=g.clippingState||null;l.value=S,S=h(m,u,A,d);for(let R=0;R!==A;++R)S[R]=e[R];g.clippingState=S,this.numIntersection=_?this.numPlanes:0,this.numPlanes+=v}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(f,u,d,m){let _=f!==null?f.length:0,p=null;if(_!==0){if(p=l.value,m!==!0||p===null){let g=d+_*4,v=u.matrixWorldInverse;a.getNormalMatrix(v),(p===null||p.length<g)&&(p=new Float32Array(g));for(let A=0,S=d;A!==_;++A,S+=4)o.copy(f[A]).applyMatrix4(v,a),o.normal.toArray(p,S),p[S+3]=o.constant}l.value=p,l.needsUpdate=!0}return t.numPlanes=_,t.numIntersection=0,p}}var yl=class extends bi{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new Ka(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new rr(5,5,5),r=new Li({name:"CubemapFromEquirect",uniforms:Wr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:zn,blending:zr});r.uniforms.tEquirect.value=e;let o=new Me(s,r),a=e.minFilter;return e.minFilter===ks&&(e.minFilter=ni),new Xo(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},K0=256,p1=3,m1=20,y_=256,S_=16,g1=3,_1=new U,x1=new zt,su=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Xo(1,10,null),this._boxMesh=new Me(new rr(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=_1}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let f=l.autoClear,u=l.autoClearColor,d=l.autoClearDepth,m=l.autoClearStencil,_=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,_===null&&(t.background=l.getClearColor(x1));let p=new Xo(n,s,h);return p.position.copy(a),p.update(l,t),l.autoClear=f,l.autoClearColor=u,l.autoClearDepth=d,l.autoClearStencil=m,t.background=_,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=t_(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Q0(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(K0,Pd(t))}_fromTexture(t,e){t.mapping===Gr||t.mapping===Zo?this._setSize(t.image.length===0?K0:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=j0(t,!1,!1),n=Math.log2(t)-p1;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=j0(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===Gr||t.mapping===Zo?(this._cubemapMaterial===null&&(this._cubemapMaterial=t_()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Q0()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=v1(),this._integrationMaterial=y1());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/S_);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-g1)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(y_*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=S1());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function j0(i,t,e){return new yl(i,{minFilter:ks,generateMipmaps:t,type:qi,colorSpace:Ba,depthBuffer:e})}function Sl(i,t,e){return new Li({name:i,uniforms:t,vertexShader:he.cube_vert,fragmentShader:e,side:zn,blending:zr,depthTest:!1,depthWrite:!1})}function v1(){return Sl("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${y_}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function y1(){return Sl("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:S_}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function S1(){return Sl("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${m1}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Q0(){return Sl("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function t_(){return Sl("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function M1(i){let t=new WeakMap,e=new WeakMap,n=null;function s(u,d=!1){return u==null?null:d?o(u):r(u)}function r(u){if(u&&u.isTexture){let d=u.mapping;if(d===gh||d===_h)if(t.has(u)){let m=t.get(u).texture;return a(m,u.mapping)}else{let m=u.image;if(m&&m.height>0){let _=new yl(m.height);return _.fromEquirectangularTexture(i,u),t.set(u,_),u.addEventListener("dispose",c),a(_.texture,u.mapping)}else return null}}return u}function o(u){if(u&&u.isTexture&&u.isPMREMTexture!==!0){let d=u.mapping,m=d===gh||d===_h,_=d===Gr||d===Zo;if(m||_){let p=e.get(u),g=p!==void 0?p.texture.pmremVersion:0;if(u.isRenderTargetTexture&&u.pmremVersion!==g)return n===null&&(n=new su(i)),p=m?n.fromEquirectangular(u,p):n.fromCubemap(u,p),p.texture.pmremVersion=u.pmremVersion,e.set(u,p),p.texture;if(p!==void 0)return p.texture;{let v=u.image;return m&&v&&v.height>0||_&&v&&l(v)?(n===null&&(n=new su(i)),p=m?n.fromEquirectangular(u):n.fromCubemap(u),p.texture.pmremVersion=u.pmremVersion,e.set(u,p),u.addEventListener("dispose",h),p.texture):null}}}return u}function a(u,d){return d===gh?u.mapping=Gr:d===_h&&(u.mapping=Zo),u}function l(u){let d=0,m=6;for(let _=0;_<m;_++)u[_]!==void 0&&d++;return d===m}function c(u){let d=u.target;d.removeEventListener("dispose",c);let m=t.get(d);m!==void 0&&(t.delete(d),m.dispose())}function h(u){let d=u.target;d.removeEventListener("dispose",h);let m=e.get(d);m!==void 0&&(e.delete(d),m.dispose())}function f(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:f}}function b1(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&Oa("WebGLRenderer: "+n+" extension not supported."),s}}}function w1(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(m=>delete s[m]);function a(m){l(m.target)}function l(m){m.index!==null&&t.remove(m.index);for(let p in m.attributes)t.remove(m.attributes[p]);m.removeEventListener("dispose",a),delete s[m.id],o.unregister(m);let _=r.get(m);_&&(t.remove(_),r.delete(m)),n.releaseStatesOfGeometry(m),m.isInstancedBufferGeometry===!0&&delete m._maxInstanceCount,e.memory.geometries--}function c(m,_){return s[_.id]!==void 0||(_.addEventListener("dispose",a),s[_.id]=new WeakRef(_),o.register(_,_.id,_),e.memory.geometries++),_}function h(m){let _=m.attributes;for(let p in _)t.update(_[p],i.ARRAY_BUFFER)}function f(m){let _=m.index,p=m.attributes.position,g=0;if(p===void 0)return;let v=_!==null?_.array.length:p.array.length/3-1,A=p.count>=65535?Wa:Ha,S=new A(Math.ceil(v/3)*6,1),R=S.array;if(_!==null){let x=_.array;g=_.version;for(let w=0,F=0;w<v;w+=3){let L=x[w+0],D=x[w+1],V=x[w+2];R[F++]=L,R[F++]=D,R[F++]=D,R[F++]=V,R[F++]=V,R[F++]=L}}else{g=p.version;for(let x=0,w=0;x<v;x+=3){let F=x+0,L=x+1,D=x+2;R[w++]=F,R[w++]=L,R[w++]=L,R[w++]=D,R[w++]=D,R[w++]=F}}S.version=g;let C=r.get(m);C&&t.remove(C),r.set(m,S)}function u(m){let _=r.get(m);if(_){let p=m.index;p!==null&&_.version<p.version&&f(m)}else f(m);return r.get(m)}function d(){for(let m in s){let _=s[m].deref();_!==void 0&&l(_)}}return{get:c,update:h,getWireframeAttribute:u,dispose:d}}function T1(i,t,e){let n;function s(f){n=f}let r,o;function a(f){r=f.type,o=f.bytesPerElement}function l(f,u){i.drawElements(n,u,r,f*o),e.update(u,n,1)}function c(f,u,d){d!==0&&(i.drawElementsInstanced(n,u,r,f*o,d),e.update(u,n,d))}function h(f,u,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,u,0,r,f,0,d);let _=0;for(let p=0;p<d;p++)_+=u[p];e.update(_,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function E1(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:jt("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function A1(i,t,e){let n=new WeakMap,s=new Qe;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,f=h!==void 0?h.length:0,u=n.get(a);if(u===void 0||u.count!==f){let F=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",F)};u!==void 0&&u.texture.dispose();let d=a.morphAttributes.position!==void 0,m=a.morphAttributes.normal!==void 0,_=a.morphAttributes.color!==void 0,p=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],v=a.morphAttributes.color||[],A=0;d===!0&&(A=1),m===!0&&(A=2),_===!0&&(A=3);let S=a.attributes.position.count*A,R=1;S>t.maxTextureSize&&(R=Math.ceil(S/t.maxTextureSize),S=t.maxTextureSize);let C=new Float32Array(S*R*4*f),x=new Ga(C,S,R,f);x.type=li,x.needsUpdate=!0;let w=A*4;for(let L=0;L<f;L++){let D=p[L],V=g[L],W=v[L],O=S*R*4*L;for(let X=0;X<D.count;X++){let Y=X*w;d===!0&&(s.fromBufferAttribute(D,X),C[O+Y+0]=s.x,C[O+Y+1]=s.y,C[O+Y+2]=s.z,C[O+Y+3]=0),m===!0&&(s.fromBufferAttribute(V,X),C[O+Y+4]=s.x,C[O+Y+5]=s.y,C[O+Y+6]=s.z,C[O+Y+7]=0),_===!0&&(s.fromBufferAttribute(W,X),C[O+Y+8]=s.x,C[O+Y+9]=s.y,C[O+Y+10]=s.z,C[O+Y+11]=W.itemSize===4?s.w:1)}}u={count:f,texture:x,size:new Vt(S,R)},n.set(a,u),a.addEventListener("dispose",F)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let d=0;for(let _=0;_<c.length;_++)d+=c[_];let m=a.morphTargetsRelative?1:1-d;l.getUniforms().setValue(i,"morphTargetBaseInfluence",m),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",u.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",u.size)}return{update:r}}function C1(i,t,e,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,f=c.geometry,u=t.get(c,f);if(r.get(u)!==h&&(t.update(u),r.set(u,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let d=c.skeleton;r.get(d)!==h&&(d.update(),r.set(d,h))}return u}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var R1={[hd]:"LINEAR_TONE_MAPPING",[ud]:"REINHARD_TONE_MAPPING",[fd]:"CINEON_TONE_MAPPING",[dd]:"ACES_FILMIC_TONE_MAPPING",[md]:"AGX_TONE_MAPPING",[gd]:"NEUTRAL_TONE_MAPPING",[pd]:"CUSTOM_TONE_MAPPING"};function P1(i,t,e,n,s,r){let o=new bi(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new me;h.setAttribute("position",new Te([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new Te([0,2,0,0,2,0],2));let f=new th({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),u=new Me(h,f),d=new Fr(-1,1,1,-1,0,1),m=null,_=null,p=!1,g,v=null,A=[],S=!1;this.setSize=function(R,C){o.setSize(R,C),a!==null&&a.setSize(R,C),l!==null&&l.setSize(R,C);for(let x=0;x<A.length;x++){let w=A[x];w.setSize&&w.setSize(R,C)}},this.setEffects=function(R){A=R,S=A.length>0&&A[0].isRenderPass===!0;let C=o.width,x=o.height;A.length>0&&a===null&&(a=new bi(C,x,{type:qi,depthBuffer:!1,stencilBuffer:!1}),l=new bi(C,x,{type:qi,depthBuffer:!1,stencilBuffer:!1}));let w=s===!0&&A.some(F=>F.needsDepthTexture===!0);w!==(o.depthTexture!==null)&&(w===!0&&c===null&&(c=new Os(C,x),r===!0&&(c.format=zs,c.type=Hr)),o.dispose(),o.depthTexture=w?c:null,o.resolveDepthBuffer=w,o.storeMultisampledDepthBuffer=w);for(let F=0;F<A.length;F++){let L=A[F];L.setSize&&L.setSize(C,x),w&&L.needsDepthTexture===!0&&L.setDepthTexture&&L.setDepthTexture(c)}},this.begin=function(R,C){if(p||R.toneMapping===ds&&A.length===0)return!1;if(v=C,C!==null){let x=C.width,w=C.height;(o.width!==x||o.height!==w)&&this.setSize(x,w)}return S===!1&&R.setRenderTarget(o),g=R.toneMapping,R.toneMapping=ds,!0},this.hasRenderPass=function(){return S},this.end=function(R,C){R.toneMapping=g,p=!0;let x=o,w=a;for(let F=0;F<A.length;F++){let L=A[F];L.enabled!==!1&&(L.render(R,w,x,C),L.needsSwap!==!1&&(x=w,w=w===a?l:a))}if(m!==R.outputColorSpace||_!==R.toneMapping){m=R.outputColorSpace,_=R.toneMapping,f.defines={},_e.getTransfer(m)===Pe&&(f.defines.SRGB_TRANSFER="");let F=R1[_];F&&(f.defines[F]=""),f.needsUpdate=!0}f.uniforms.tDiffuse.value=x.texture,R.setRenderTarget(v),R.render(u,d),v=null,p=!1},this.isCompositing=function(){return p},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),f.dispose()}}var M_=new ii,b_=new Os(1,1),w_=new ja(1),T_=new Ga,E_=new Zc,A_=new Ka,e_=[],n_=[],i_=new Float32Array(16),s_=new Float32Array(9),r_=new Float32Array(4);function jo(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=e_[s];if(r===void 0&&(r=new Float32Array(s),e_[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function Cn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function Rn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function ru(i,t){let e=n_[t];e===void 0&&(e=new Int32Array(t),n_[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function I1(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function L1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Cn(e,t))return;i.uniform2fv(this.addr,t),Rn(e,t)}}function D1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Cn(e,t))return;i.uniform3fv(this.addr,t),Rn(e,t)}}function N1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Cn(e,t))return;i.uniform4fv(this.addr,t),Rn(e,t)}}function O1(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Cn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),Rn(e,t)}else{if(Cn(e,n))return;r_.set(n),i.uniformMatrix2fv(this.addr,!1,r_),Rn(e,n)}}function U1(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Cn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),Rn(e,t)}else{if(Cn(e,n))return;s_.set(n),i.uniformMatrix3fv(this.addr,!1,s_),Rn(e,n)}}function F1(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Cn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),Rn(e,t)}else{if(Cn(e,n))return;i_.set(n),i.uniformMatrix4fv(this.addr,!1,i_),Rn(e,n)}}function B1(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function k1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Cn(e,t))return;i.uniform2iv(this.addr,t),Rn(e,t)}}function z1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Cn(e,t))return;i.uniform3iv(this.addr,t),Rn(e,t)}}function V1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Cn(e,t))return;i.uniform4iv(this.addr,t),Rn(e,t)}}function G1(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function H1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Cn(e,t))return;i.uniform2uiv(this.addr,t),Rn(e,t)}}function W1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Cn(e,t))return;i.uniform3uiv(this.addr,t),Rn(e,t)}}function X1(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Cn(e,t))return;i.uniform4uiv(this.addr,t),Rn(e,t)}}function ou(i){return i.version===0&&(i.compareFunction=Ed,i.needsUpdate=!0),i}function q1(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=ou(b_):r=M_,e.setTexture2D(t||r,s)}function $1(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||E_,s)}function Y1(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=ou(w_):r=A_,e.setTextureCube(t||r,s)}function Z1(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||T_,s)}function J1(i){switch(i){case 5126:return I1;case 35664:return L1;case 35665:return D1;case 35666:return N1;case 35674:return O1;case 35675:return U1;case 35676:return F1;case 5124:case 35670:return B1;case 35667:case 35671:return k1;case 35668:case 35672:return z1;case 35669:case 35673:return V1;case 5125:return G1;case 36294:return H1;case 36295:return W1;case 36296:return X1;case 35678:case 36198:case 36298:case 36306:case 35682:return q1;case 35679:case 36299:case 36307:return $1;case 35680:case 36300:case 36308:case 36293:return Y1;case 36289:case 36303:case 36311:case 36292:return Z1}}function K1(i,t){i.uniform1fv(this.addr,t)}function j1(i,t){let e=jo(t,this.size,2);i.uniform2fv(this.addr,e)}function Q1(i,t){let e=jo(t,this.size,3);i.uniform3fv(this.addr,e)}function tT(i,t){let e=jo(t,this.size,4);i.uniform4fv(this.addr,e)}function eT(i,t){let e=jo(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function nT(i,t){let e=jo(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function iT(i,t){let e=jo(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function sT(i,t){i.uniform1iv(this.addr,t)}function rT(i,t){i.uniform2iv(this.addr,t)}function oT(i,t){i.uniform3iv(this.addr,t)}function aT(i,t){i.uniform4iv(this.addr,t)}function lT(i,t){i.uniform1uiv(this.addr,t)}function cT(i,t){i.uniform2uiv(this.addr,t)}function hT(i,t){i.uniform3uiv(this.addr,t)}function uT(i,t){i.uniform4uiv(this.addr,t)}function fT(i,t,e){let n=this.cache,s=t.length,r=ru(e,s);Cn(n,r)||(i.uniform1iv(this.addr,r),Rn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=ou(b_):o=M_;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function dT(i,t,e){let n=this.cache,s=t.length,r=ru(e,s);Cn(n,r)||(i.uniform1iv(this.addr,r),Rn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||E_,r[o])}function pT(i,t,e){let n=this.cache,s=t.length,r=ru(e,s);Cn(n,r)||(i.uniform1iv(this.addr,r),Rn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=ou(w_):o=A_;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function mT(i,t,e){let n=this.cache,s=t.length,r=ru(e,s);Cn(n,r)||(i.uniform1iv(this.addr,r),Rn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||T_,r[o])}function gT(i){switch(i){case 5126:return K1;case 35664:return j1;case 35665:return Q1;case 35666:return tT;case 35674:return eT;case 35675:return nT;case 35676:return iT;case 5124:case 35670:return sT;case 35667:case 35671:return rT;case 35668:case 35672:return oT;case 35669:case 35673:return aT;case 5125:return lT;case 36294:return cT;case 36295:return hT;case 36296:return uT;case 35678:case 36198:case 36298:case 36306:case 35682:return fT;case 35679:case 36299:case 36307:return dT;case 35680:case 36300:case 36308:case 36293:return pT;case 36289:case 36303:case 36311:case 36292:return mT}}var zd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=J1(e.type)}},Vd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=gT(e.type)}},Gd=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},Bd=/(\w+)(\])?(\[|\.)?/g;function o_(i,t){i.seq.push(t),i.map[t.id]=t}function _T(i,t,e){let n=i.name,s=n.length;for(Bd.lastIndex=0;;){let r=Bd.exec(n),o=Bd.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){o_(e,c===void 0?new zd(a,i,t):new Vd(a,i,t));break}else{let f=e.map[a];f===void 0&&(f=new Gd(a),o_(e,f)),e=f}}}var Ko=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);_T(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function a_(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var xT=37297,vT=0;function yT(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var l_=new ne;function ST(i){_e._getMatrix(l_,_e.workingColorSpace,i);let t=`mat3( ${l_.elements.map(e=>e.toFixed(4))} )`;switch(_e.getTransfer(i)){case ka:return[t,"LinearTransferOETF"];case Pe:return[t,"sRGBTransferOETF"];default:return Yt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function c_(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+yT(i.getShaderSource(t),a)}else return r}function MT(i,t){let e=ST(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var bT={[hd]:"Linear",[ud]:"Reinhard",[fd]:"Cineon",[dd]:"ACESFilmic",[md]:"AgX",[gd]:"Neutral",[pd]:"Custom"};function wT(i,t){let e=bT[t];return e===void 0?(Yt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var iu=new U;function TT(){_e.getLuminanceCoefficients(iu);let i=iu.x.toFixed(4),t=iu.y.toFixed(4),e=iu.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function ET(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(vl).join(`
`)}function AT(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function CT(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function vl(i){return i!==""}function h_(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function u_(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var RT=/^[ \t]*#include +<([\w\d./]+)>/gm;function Hd(i){return i.replace(RT,PT)}function PT(i,t){let e=he[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return Hd(e)}var IT=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function f_(i){return i.replace(IT,LT)}function LT(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function d_(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var DT={[kr]:"SHADOWMAP_TYPE_PCF",[$o]:"SHADOWMAP_TYPE_VSM"};function NT(i){return DT[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var OT={[Zo]:"ENVMAP_MODE_REFRACTION"};function UT(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":OT[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var FT={[mh]:"ENVMAP_BLENDING_MULTIPLY",[I0]:"ENVMAP_BLENDING_MIX",[L0]:"ENVMAP_BLENDING_ADD"};function BT(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":FT[i.combine]||"ENVMAP_BLENDING_NONE"}function kT(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=NT(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=UT(e),f=BT(e),u=ET(e),d=AT(r),m=s.createProgram(),_,p,g=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(_=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(vl).join(`
`),_.length>0&&(_+=`
`),p=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(vl).join(`
`),p.length>0&&(p+=`
`)):(_=[d_(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(vl).join(`
`),p=[d_(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+f:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==ds?"#define TONE_MAPPING":"",e.toneMapping!==ds?he.tonemapping_pars_fragment:"",e.toneMapping!==ds?wT("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",he.colorspace_pars_fragment,MT("linearToOutputTexel",e.outputColorSpace),TT(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(vl).join(`
`)),o=Hd(o),o=h_(o,e),o=u_(o,e),a=Hd(a),a=h_(a,e),a=u_(a,e),o=f_(o),a=f_(a),e.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,_=[u,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+_,p=["#define varying in",e.glslVersion===Cd?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Cd?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+p);let v=g+_+o,A=g+p+a,S=a_(s,s.VERTEX_SHADER,v),R=a_(s,s.FRAGMENT_SHADER,A);s.attachShader(m,S),s.attachShader(m,R),e.index0AttributeName!==void 0?s.bindAttribLocation(m,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(m,0,"position"),s.linkProgram(m);function C(L){if(i.debug.checkShaderErrors){let D=s.getProgramInfoLog(m)||"",V=s.getShaderInfoLog(S)||"",W=s.getShaderInfoLog(R)||"",O=D.trim(),X=V.trim(),Y=W.trim(),H=!0,ct=!0;if(s.getProgramParameter(m,s.LINK_STATUS)===!1)if(H=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,m,S,R);else{let K=c_(s,S,"vertex"),Q=c_(s,R,"fragment");jt("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(m,s.VALIDATE_STATUS)+`

Material Name: `+L.name+`
Material Type: `+L.type+`

Program Info Log: `+O+`
`+K+`
`+Q)}else O!==""?Yt("WebGLProgram: Program Info Log:",O):(X===""||Y==="")&&(ct=!1);ct&&(L.diagnostics={runnable:H,programLog:O,vertexShader:{log:X,prefix:_},fragmentShader:{log:Y,prefix:p}})}s.deleteShader(S),s.deleteShader(R),x=new Ko(s,m),w=CT(s,m)}let x;this.getUniforms=function(){return x===void 0&&C(this),x};let w;this.getAttributes=function(){return w===void 0&&C(this),w};let F=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return F===!1&&(F=s.getProgramParameter(m,xT)),F},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(m),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=vT++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=S,this.fragmentShader=R,this}var zT=0,Wd=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new Xd(t),e.set(t,n)),n}},Xd=class{constructor(t){this.id=zT++,this.code=t,this.usedTimes=0}};function VT(i){return i===ur||i===ml||i===gl}function GT(i,t,e,n,s,r){let o=new Vo,a=new Wd,l=new Set,c=[],h=new Map,f=n.logarithmicDepthBuffer,u={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function d(x){return l.add(x),x===0?"uv":`uv${x}`}function m(x,w,F,L,D,V){let W=L.fog,O=D.geometry,X=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?L.environment:null,Y=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,H=t.get(x.envMap||X,Y),ct=u[x.type],K=n.precision;x.precision!==null&&(K=n.getMaxPrecision(x.precision),K!==x.precision&&Yt("WebGLProgram.getParameters:",x.precision,"not supported, using",K,"instead."));let Q=O.morphAttributes.position||O.morphAttributes.normal||O.morphAttributes.color,st=Q!==void 0?Q.length:0,ft=0;O.morphAttributes.position!==void 0&&(ft=1),O.morphAttributes.normal!==void 0&&(ft=2),O.morphAttributes.color!==void 0&&(ft=3);let ut,tt,mt,xt;if(ct){let Ct=ms[ct];ut=Ct.vertexShader,tt=Ct.fragmentShader}else{ut=x.vertexShader,tt=x.fragmentShader;let Ct=a.getVertexShaderStage(x),ae=a.getFragmentShaderStage(x);a.update(x,Ct,ae),mt=Ct.id,xt=ae.id}let At=i.getRenderTarget(),Mt=i.state.buffers.depth.getReversed(),Xt=D.isInstancedMesh===!0,re=D.isBatchedMesh===!0,Ht=!!x.map,ue=!!x.matcap,le=!!H,ie=le&&H.isPMREMTexture===!0,Ke=!!x.aoMap,We=!!x.lightMap,dn=!!x.bumpMap&&x.wireframe===!1,Ue=!!x.normalMap,In=!!x.displacementMap,Se=!!x.emissiveMap,Mn=!!x.metalnessMap,nn=!!x.roughnessMap,pn=x.anisotropy>0,k=x.clearcoat>0,Rt=x.diffuseRoughness>0,Zt=x.dispersion>0,oe=x.retroreflectivity>0,bt=x.iridescence>0,ke=x.sheen>0,Gt=x.transmission>0,$t=pn&&!!x.anisotropyMap,P=k&&!!x.clearcoatMap,M=k&&!!x.clearcoatNormalMap,q=k&&!!x.clearcoatRoughnessMap,ht=Rt&&!!x.diffuseRoughnessMap,ot=bt&&!!x.iridescenceMap,_t=bt&&!!x.iridescenceThicknessMap,vt=ke&&!!x.sheenColorMap,et=ke&&!!x.sheenRoughnessMap,it=!!x.specularMap,pt=!!x.specularColorMap,B=!!x.specularIntensityMap,rt=Gt&&!!x.transmissionMap,nt=Gt&&!!x.thicknessMap,wt=!!x.gradientMap,gt=!!x.alphaMap,St=x.alphaTest>0,Wt=!!x.alphaHash,Qt=!!x.extensions,lt=ds;x.toneMapped&&(At===null||At.isXRRenderTarget===!0)&&(lt=i.toneMapping);let Ft=ie?H.isCompressedCubeTexture?H.image[0].mipmaps:H.mipmaps:null,te={shaderID:ct,shaderType:x.type,shaderName:x.name,vertexShader:ut,fragmentShader:tt,defines:x.defines,customVertexShaderID:mt,customFragmentShaderID:xt,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:K,batching:re,batchingColor:re&&D._colorsTexture!==null,instancing:Xt,instancingColor:Xt&&D.instanceColor!==null,instancingMorph:Xt&&D.morphTexture!==null,outputColorSpace:At===null?i.outputColorSpace:At.isXRRenderTarget===!0?At.texture.colorSpace:_e.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Ht,matcap:ue,envMap:le,envMapMode:le&&H.mapping,envMapPMREM:ie,envMapMaxLod:ie?Ft.length-1:null,envMapSize:ie?Ft[0].width:null,aoMap:Ke,lightMap:We,bumpMap:dn,normalMap:Ue,displacementMap:In,emissiveMap:Se,normalMapObjectSpace:Ue&&x.normalMapType===O0,normalMapTangentSpace:Ue&&x.normalMapType===_l,packedNormalMap:Ue&&x.normalMapType===_l&&VT(x.normalMap.format),metalnessMap:Mn,roughnessMap:nn,anisotropy:pn,anisotropyMap:$t,clearcoat:k,clearcoatMap:P,clearcoatNormalMap:M,clearcoatRoughnessMap:q,diffuseRoughness:Rt,diffuseRoughnessMap:ht,dispersion:Zt,retroreflection:oe,iridescence:bt,iridescenceMap:ot,iridescenceThicknessMap:_t,sheen:ke,sheenColorMap:vt,sheenRoughnessMap:et,specularMap:it,specularColorMap:pt,specularIntensityMap:B,transmission:Gt,transmissionMap:rt,thicknessMap:nt,gradientMap:wt,opaque:x.transparent===!1&&x.blending===Yo&&x.alphaToCoverage===!1,alphaMap:gt,alphaTest:St,alphaHash:Wt,combine:x.combine,mapUv:Ht&&d(x.map.channel),aoMapUv:Ke&&d(x.aoMap.channel),lightMapUv:We&&d(x.lightMap.channel),bumpMapUv:dn&&d(x.bumpMap.channel),normalMapUv:Ue&&d(x.normalMap.channel),displacementMapUv:In&&d(x.displacementMap.channel),emissiveMapUv:Se&&d(x.emissiveMap.channel),metalnessMapUv:Mn&&d(x.metalnessMap.channel),roughnessMapUv:nn&&d(x.roughnessMap.channel),anisotropyMapUv:$t&&d(x.anisotropyMap.channel),clearcoatMapUv:P&&d(x.clearcoatMap.channel),clearcoatNormalMapUv:M&&d(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:q&&d(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ht&&d(x.diffuseRoughnessMap.channel),iridescenceMapUv:ot&&d(x.iridescenceMap.channel),iridescenceThicknessMapUv:_t&&d(x.iridescenceThicknessMap.channel),sheenColorMapUv:vt&&d(x.sheenColorMap.channel),sheenRoughnessMapUv:et&&d(x.sheenRoughnessMap.channel),specularMapUv:it&&d(x.specularMap.channel),specularColorMapUv:pt&&d(x.specularColorMap.channel),specularIntensityMapUv:B&&d(x.specularIntensityMap.channel),transmissionMapUv:rt&&d(x.transmissionMap.channel),thicknessMapUv:nt&&d(x.thicknessMap.channel),alphaMapUv:gt&&d(x.alphaMap.channel),vertexTangents:!!O.attributes.tangent&&(Ue||pn),vertexNormals:!!O.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!O.attributes.color&&O.attributes.color.itemSize===4,pointsUvs:D.isPoints===!0&&!!O.attributes.uv&&(Ht||gt),fog:!!W,useFog:x.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||O.attributes.normal===void 0&&Ue===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:f,reversedDepthBuffer:Mt,skinning:D.isSkinnedMesh===!0,hasPositionAttribute:O.attributes.position!==void 0,morphTargets:O.morphAttributes.position!==void 0,morphNormals:O.morphAttributes.normal!==void 0,morphColors:O.morphAttributes.color!==void 0,morphTargetsCount:st,morphTextureStride:ft,numSunLights:w.sun.length,numDirLights:w.directional.length,numPointLights:w.point.length,numSpotLights:w.spot.length,numSpotLightMaps:w.spotLightMap.length,numRectAreaLights:w.rectArea.length,numHemiLights:w.hemi.length,numSunLightShadows:w.sunShadowMap.length,numDirLightShadows:w.directionalShadowMap.length,numPointLightShadows:w.pointShadowMap.length,numSpotLightShadows:w.spotShadowMap.length,numSpotLightShadowsWithMaps:w.numSpotLightShadowsWithMaps,numLightProbes:w.numLightProbes,numLightProbeGrids:V.filter(Ct=>Ct.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&F.length>0,shadowMapType:i.shadowMap.type,toneMapping:lt,decodeVideoTexture:Ht&&x.map.isVideoTexture===!0&&_e.getTransfer(x.map.colorSpace)===Pe,decodeVideoTextureEmissive:Se&&x.emissiveMap.isVideoTexture===!0&&_e.getTransfer(x.emissiveMap.colorSpace)===Pe,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===ri,flipSided:x.side===zn,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Qt&&x.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Qt&&x.extensions.multiDraw===!0||re)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return te.vertexUv1s=l.has(1),te.vertexUv2s=l.has(2),te.vertexUv3s=l.has(3),l.clear(),te}function _(x){let w=[];if(x.shaderID?w.push(x.shaderID):(w.push(x.customVertexShaderID),w.push(x.customFragmentShaderID)),x.defines!==void 0)for(let F in x.defines)w.push(F),w.push(x.defines[F]);return x.isRawShaderMaterial===!1&&(p(w,x),g(w,x),w.push(i.outputColorSpace)),w.push(x.customProgramCacheKey),w.join()}function p(x,w){x.push(w.precision),x.push(w.outputColorSpace),x.push(w.envMapMode),x.push(w.envMapPMREM),x.push(w.envMapMaxLod),x.push(w.envMapSize),x.push(w.mapUv),x.push(w.alphaMapUv),x.push(w.lightMapUv),x.push(w.aoMapUv),x.push(w.bumpMapUv),x.push(w.normalMapUv),x.push(w.displacementMapUv),x.push(w.emissiveMapUv),x.push(w.metalnessMapUv),x.push(w.roughnessMapUv),x.push(w.anisotropyMapUv),x.push(w.clearcoatMapUv),x.push(w.clearcoatNormalMapUv),x.push(w.clearcoatRoughnessMapUv),x.push(w.diffuseRoughnessMapUv),x.push(w.iridescenceMapUv),x.push(w.iridescenceThicknessMapUv),x.push(w.sheenColorMapUv),x.push(w.sheenRoughnessMapUv),x.push(w.specularMapUv),x.push(w.specularColorMapUv),x.push(w.specularIntensityMapUv),x.push(w.transmissionMapUv),x.push(w.thicknessMapUv),x.push(w.combine),x.push(w.fogExp2),x.push(w.sizeAttenuation),x.push(w.morphTargetsCount),x.push(w.numSunLights),x.push(w.numDirLights),x.push(w.numPointLights),x.push(w.numSpotLights),x.push(w.numSpotLightMaps),x.push(w.numHemiLights),x.push(w.numRectAreaLights),x.push(w.numSunLightShadows),x.push(w.numDirLightShadows),x.push(w.numPointLightShadows),x.push(w.numSpotLightShadows),x.push(w.numSpotLightShadowsWithMaps),x.push(w.numLightProbes),x.push(w.numLightProbeGrids),x.push(w.shadowMapType),x.push(w.toneMapping),x.push(w.numClippingPlanes),x.push(w.numClipIntersection),x.push(w.depthPacking)}function g(x,w){o.disableAll(),w.instancing&&o.enable(0),w.instancingColor&&o.enable(1),w.instancingMorph&&o.enable(2),w.matcap&&o.enable(3),w.envMap&&o.enable(4),w.normalMapObjectSpace&&o.enable(5),w.normalMapTangentSpace&&o.enable(6),w.clearcoat&&o.enable(7),w.iridescence&&o.enable(8),w.alphaTest&&o.enable(9),w.vertexColors&&o.enable(10),w.vertexAlphas&&o.enable(11),w.vertexUv1s&&o.enable(12),w.vertexUv2s&&o.enable(13),w.vertexUv3s&&o.enable(14),w.vertexTangents&&o.enable(15),w.anisotropy&&o.enable(16),w.alphaHash&&o.enable(17),w.batching&&o.enable(18),w.dispersion&&o.enable(19),w.retroreflection&&o.enable(24),w.diffuseRoughness&&o.enable(25),w.batchingColor&&o.enable(20),w.gradientMap&&o.enable(21),w.packedNormalMap&&o.enable(22),w.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),w.fog&&o.enable(0),w.useFog&&o.enable(1),w.flatShading&&o.enable(2),w.logarithmicDepthBuffer&&o.enable(3),w.reversedDepthBuffer&&o.enable(4),w.skinning&&o.enable(5),w.morphTargets&&o.enable(6),w.morphNormals&&o.enable(7),w.morphColors&&o.enable(8),w.premultipliedAlpha&&o.enable(9),w.shadowMapEnabled&&o.enable(10),w.doubleSided&&o.enable(11),w.flipSided&&o.enable(12),w.useDepthPacking&&o.enable(13),w.dithering&&o.enable(14),w.transmission&&o.enable(15),w.sheen&&o.enable(16),w.opaque&&o.enable(17),w.pointsUvs&&o.enable(18),w.decodeVideoTexture&&o.enable(19),w.decodeVideoTextureEmissive&&o.enable(20),w.alphaToCoverage&&o.enable(21),w.numLightProbeGrids>0&&o.enable(22),w.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function v(x){let w=u[x.type],F;if(w){let L=ms[w];F=Y0.clone(L.uniforms)}else F=x.uniforms;return F}function A(x,w){let F=h.get(w);return F!==void 0?++F.usedTimes:(F=new kT(i,w,x,s),c.push(F),h.set(w,F)),F}function S(x){if(--x.usedTimes===0){let w=c.indexOf(x);c[w]=c[c.length-1],c.pop(),h.delete(x.cacheKey),x.destroy()}}function R(x){a.remove(x)}function C(){a.dispose()}return{getParameters:m,getProgramCacheKey:_,getUniforms:v,acquireProgram:A,releaseProgram:S,releaseShaderCache:R,programs:c,dispose:C}}function HT(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function WT(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function p_(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function m_(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(u){let d=0;return u.isInstancedMesh&&(d+=2),u.isSkinnedMesh&&(d+=1),d}function a(u,d,m,_,p,g){let v=i[t];return v===void 0?(v={id:u.id,object:u,geometry:d,material:m,materialVariant:o(u),groupOrder:_,renderOrder:u.renderOrder,z:p,group:g},i[t]=v):(v.id=u.id,v.object=u,v.geometry=d,v.material=m,v.materialVariant=o(u),v.groupOrder=_,v.renderOrder=u.renderOrder,v.z=p,v.group=g),t++,v}function l(u,d,m,_,p,g,v){v.reversedDepth===!0&&(p=-p);let A=a(u,d,m,_,p,g);m.transmission>0?n.push(A):m.transparent===!0?s.push(A):e.push(A)}function c(u,d,m,_,p,g){let v=a(u,d,m,_,p,g);m.transmission>0?n.unshift(v):m.transparent===!0?s.unshift(v):e.unshift(v)}function h(u,d){e.length>1&&e.sort(u||WT),n.length>1&&n.sort(d||p_),s.length>1&&s.sort(d||p_)}function f(){for(let u=t,d=i.length;u<d;u++){let m=i[u];if(m.id===null)break;m.id=null,m.object=null,m.geometry=null,m.material=null,m.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:f,sort:h}}function XT(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new m_,i.set(n,[o])):s>=r.length?(o=new m_,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function qT(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new U,color:new zt};break;case"SpotLight":e={position:new U,direction:new U,color:new zt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new U,color:new zt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new U,skyColor:new zt,groundColor:new zt};break;case"RectAreaLight":e={color:new zt,position:new U,halfWidth:new U,halfHeight:new U};break}return i[t.id]=e,e}}}function $T(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Vt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Vt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Vt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var YT=0;function ZT(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function JT(i){let t=new qT,e=$T(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new U);let s=new U,r=new ye,o=new ye;function a(c){let h=0,f=0,u=0;for(let V=0;V<9;V++)n.probe[V].set(0,0,0);let d=0,m=0,_=0,p=0,g=0,v=0,A=0,S=0,R=0,C=0,x=0,w=0,F=0,L=0;c.sort(ZT);for(let V=0,W=c.length;V<W;V++){let O=c[V],X=O.color,Y=O.intensity,H=O.distance,ct=null;if(O.shadow&&O.shadow.map&&(O.shadow.map.texture.format===ur?ct=O.shadow.map.texture:ct=O.shadow.map.depthTexture||O.shadow.map.texture),O.isAmbientLight)h+=X.r*Y,f+=X.g*Y,u+=X.b*Y;else if(O.isLightProbe){for(let K=0;K<9;K++)n.probe[K].addScaledVector(O.sh.coefficients[K],Y);L++}else if(O.isSunLight){let K=t.get(O);if(K.color.copy(O.color).multiplyScalar(O.intensity),O.castShadow){let Q=O.shadow,st=e.get(O);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[m]=st,n.sunShadowMap[m]=ct;let ft=Q.getViewportCount();for(let ut=0;ut<ft;ut++)n.sunShadowMatrix[_+ut]=Q.getMatrix(ut),n.sunShadowCascade[_+ut]=Q._cascadeData[ut];_+=ft,m++}n.sun[d]=K,d++}else if(O.isDirectionalLight){let K=t.get(O);if(K.color.copy(O.color).multiplyScalar(O.intensity),O.castShadow){let Q=O.shadow,st=e.get(O);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,n.directionalShadow[p]=st,n.directionalShadowMap[p]=ct,n.directionalShadowMatrix[p]=O.shadow.matrix,R++}n.directional[p]=K,p++}else if(O.isSpotLight){let K=t.get(O);K.position.setFromMatrixPosition(O.matrixWorld),K.color.copy(X).multiplyScalar(Y),K.distance=H,K.coneCos=Math.cos(O.angle),K.penumbraCos=Math.cos(O.angle*(1-O.penumbra)),K.decay=O.decay,n.spot[v]=K;let Q=O.shadow;if(O.map&&(n.spotLightMap[w]=O.map,w++,Q.updateMatrices(O),O.castShadow&&F++),n.spotLightMatrix[v]=Q.matrix,O.castShadow){let st=e.get(O);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,n.spotShadow[v]=st,n.spotShadowMap[v]=ct,x++}v++}else if(O.isRectAreaLight){let K=t.get(O);K.color.copy(X).multiplyScalar(Y),K.halfWidth.set(O.width*.5,0,0),K.halfHeight.set(0,O.height*.5,0),n.rectArea[A]=K,A++}else if(O.isPointLight){let K=t.get(O);if(K.color.copy(O.color).multiplyScalar(O.intensity),K.distance=O.distance,K.decay=O.decay,O.castShadow){let Q=O.shadow,st=e.get(O);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,st.shadowCameraNear=Q.camera.near,st.shadowCameraFar=Q.camera.far,n.pointShadow[g]=st,n.pointShadowMap[g]=ct,n.pointShadowMatrix[g]=O.shadow.matrix,C++}n.point[g]=K,g++}else if(O.isHemisphereLight){let K=t.get(O);K.skyColor.copy(O.color).multiplyScalar(Y),K.groundColor.copy(O.groundColor).multiplyScalar(Y),n.hemi[S]=K,S++}}A>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Lt.LTC_FLOAT_1,n.rectAreaLTC2=Lt.LTC_FLOAT_2):(n.rectAreaLTC1=Lt.LTC_HALF_1,n.rectAreaLTC2=Lt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=f,n.ambient[2]=u;let D=n.hash;(D.sunLength!==d||D.directionalLength!==p||D.pointLength!==g||D.spotLength!==v||D.rectAreaLength!==A||D.hemiLength!==S||D.numSunShadows!==m||D.numDirectionalShadows!==R||D.numPointShadows!==C||D.numSpotShadows!==x||D.numSpotMaps!==w||D.numLightProbes!==L)&&(n.sun.length=d,n.directional.length=p,n.spot.length=v,n.rectArea.length=A,n.point.length=g,n.hemi.length=S,n.sunShadow.length=m,n.sunShadowMap.length=m,n.sunShadowMatrix.length=_,n.sunShadowCascade.length=_,n.directionalShadow.length=R,n.directionalShadowMap.length=R,n.directionalShadowMatrix.length=R,n.pointShadow.length=C,n.pointShadowMap.length=C,n.pointShadowMatrix.length=C,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+w-F,n.spotLightMap.length=w,n.numSpotLightShadowsWithMaps=F,n.numLightProbes=L,D.sunLength=d,D.directionalLength=p,D.pointLength=g,D.spotLength=v,D.rectAreaLength=A,D.hemiLength=S,D.numSunShadows=m,D.numDirectionalShadows=R,D.numPointShadows=C,D.numSpotShadows=x,D.numSpotMaps=w,D.numLightProbes=L,n.version=YT++)}function l(c,h){let f=0,u=0,d=0,m=0,_=0,p=0,g=h.matrixWorldInverse;for(let v=0,A=c.length;v<A;v++){let S=c[v];if(S.isSunLight){let R=n.sun[f];R.direction.setFromMatrixPosition(S.matrixWorld),R.direction.transformDirection(g),f++}else if(S.isDirectionalLight){let R=n.directional[u];R.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(g),u++}else if(S.isSpotLight){let R=n.spot[m];R.position.setFromMatrixPosition(S.matrixWorld),R.position.applyMatrix4(g),R.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(g),m++}else if(S.isRectAreaLight){let R=n.rectArea[_];R.position.setFromMatrixPosition(S.matrixWorld),R.position.applyMatrix4(g),o.identity(),r.copy(S.matrixWorld),r.premultiply(g),o.extractRotation(r),R.halfWidth.set(S.width*.5,0,0),R.halfHeight.set(0,S.height*.5,0),R.halfWidth.applyMatrix4(o),R.halfHeight.applyMatrix4(o),_++}else if(S.isPointLight){let R=n.point[d];R.position.setFromMatrixPosition(S.matrixWorld),R.position.applyMatrix4(g),d++}else if(S.isHemisphereLight){let R=n.hemi[p];R.direction.setFromMatrixPosition(S.matrixWorld),R.direction.transformDirection(g),p++}}}return{setup:a,setupView:l,state:n}}function g_(i){let t=new JT(i),e=[],n=[],s=[];function r(f){h.camera=f,e.length=0,n.length=0,s.length=0}function o(f){f.isLightProbeGrid?s.push(f):e.push(f)}function a(f){n.push(f)}function l(){t.setup(e),s.sort((f,u)=>f.priority-u.priority||f.id-u.id)}function c(f){t.setupView(e,f)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function KT(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new g_(i),t.set(s,[a])):r>=o.length?(a=new g_(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var jT=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,QT=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,tE=[new U(1,0,0),new U(-1,0,0),new U(0,1,0),new U(0,-1,0),new U(0,0,1),new U(0,0,-1)],eE=[new U(0,-1,0),new U(0,-1,0),new U(0,0,1),new U(0,0,-1),new U(0,-1,0),new U(0,-1,0)],__=new ye,xl=new U,kd=new U;function nE(i,t,e){let n=new Ns,s=new Vt,r=new Vt,o=new Qe,a=new eh,l=new nh,c={},h=e.maxTextureSize,f={[hr]:zn,[zn]:hr,[ri]:ri},u=new Li({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Vt},radius:{value:4}},vertexShader:jT,fragmentShader:QT}),d=u.clone();d.defines.HORIZONTAL_PASS=1;let m=new me;m.setAttribute("position",new Be(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let _=new Me(m,u),p=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=kr;let g=this.type;this.render=function(C,x,w){if(p.enabled===!1||p.autoUpdate===!1&&p.needsUpdate===!1||C.length===0)return;this.type===f0&&(Yt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=kr);let F=i.getRenderTarget(),L=i.getActiveCubeFace(),D=i.getActiveMipmapLevel(),V=i.state;V.setBlending(zr),V.buffers.depth.getReversed()===!0?V.buffers.color.setClear(0,0,0,0):V.buffers.color.setClear(1,1,1,1),V.buffers.depth.setTest(!0),V.setScissorTest(!1);let W=g!==this.type;W&&x.traverse(function(O){O.material&&(Array.isArray(O.material)?O.material.forEach(X=>X.needsUpdate=!0):O.material.needsUpdate=!0)});for(let O=0,X=C.length;O<X;O++){let Y=C[O],H=Y.shadow;if(H===void 0){Yt("WebGLShadowMap:",Y,"has no shadow.");continue}if(H.autoUpdate===!1&&H.needsUpdate===!1)continue;s.copy(H.mapSize);let ct=H.getFrameExtents();s.multiply(ct),r.copy(H.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ct.x),s.x=r.x*ct.x,H.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ct.y),s.y=r.y*ct.y,H.mapSize.y=r.y));let K=i.state.buffers.depth.getReversed();if(H.camera._reversedDepth=K,H.map===null||W===!0){if(H.map!==null&&(H.map.depthTexture!==null&&(H.map.depthTexture.dispose(),H.map.depthTexture=null),H.map.dispose()),this.type===$o){if(Y.isPointLight){Yt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}H.map=new bi(s.x,s.y,{format:ur,type:qi,minFilter:ni,magFilter:ni,generateMipmaps:!1}),H.map.texture.name=Y.name+".shadowMap",H.map.depthTexture=new Os(s.x,s.y,li),H.map.depthTexture.name=Y.name+".shadowMapDepth",H.map.depthTexture.format=Is,H.map.depthTexture.compareFunction=null,H.map.depthTexture.minFilter=Fn,H.map.depthTexture.magFilter=Fn}else Y.isPointLight?(H.map=new yl(s.x),H.map.depthTexture=new ja(s.x,Di)):(H.map=new bi(s.x,s.y),H.map.depthTexture=new Os(s.x,s.y,Di)),H.map.depthTexture.name=Y.name+".shadowMap",H.map.depthTexture.format=Is,this.type===kr?(H.map.depthTexture.compareFunction=K?Td:wd,H.map.depthTexture.minFilter=ni,H.map.depthTexture.magFilter=ni):(H.map.depthTexture.compareFunction=null,H.map.depthTexture.minFilter=Fn,H.map.depthTexture.magFilter=Fn);H.camera.updateProjectionMatrix()}H.map.isWebGLCubeRenderTarget!==!0&&(H.map.width!==s.x||H.map.height!==s.y)&&H.map.setSize(s.x,s.y);let Q=H.map.isWebGLCubeRenderTarget?6:H.getViewportCount();Y.isPointLight!==!0&&H.updateMatrices(Y,w);let st=(H.camera.layers.mask&4294967294)!==0?H.camera.layers:w.layers;for(let ft=0;ft<Q;ft++){let ut=H.getCamera(ft);if(Y.isPointLight){let tt=H.camera,mt=H.matrix,xt=Y.distance||tt.far;xt!==tt.far&&(tt.far=xt,tt.updateProjectionMatrix()),xl.setFromMatrixPosition(Y.matrixWorld),tt.position.copy(xl),kd.copy(tt.position),kd.add(tE[ft]),tt.up.copy(eE[ft]),tt.lookAt(kd),tt.updateMatrixWorld(),mt.makeTranslation(-xl.x,-xl.y,-xl.z),__.multiplyMatrices(tt.projectionMatrix,tt.matrixWorldInverse),H._frustum.setFromProjectionMatrix(__,tt.coordinateSystem,tt.reversedDepth)}if(H.map.isWebGLCubeRenderTarget)i.setRenderTarget(H.map,ft),i.clear();else{ft===0&&(i.setRenderTarget(H.map),i.clear());let tt=H.getViewport(ft);o.set(r.x*tt.x,r.y*tt.y,r.x*tt.z,r.y*tt.w),V.viewport(o)}n=H.getFrustum(ft),S(x,w,ut,Y,st,this.type)}H.isPointLightShadow!==!0&&this.type===$o&&v(H,w),H.needsUpdate=!1}g=this.type,p.needsUpdate=!1,i.setRenderTarget(F,L,D)};function v(C,x){let w=t.update(_);u.defines.VSM_SAMPLES!==C.blurSamples&&(u.defines.VSM_SAMPLES=C.blurSamples,d.defines.VSM_SAMPLES=C.blurSamples,u.needsUpdate=!0,d.needsUpdate=!0),C.mapPass===null?C.mapPass=new bi(s.x,s.y,{format:ur,type:qi}):(C.mapPass.width!==C.map.width||C.mapPass.height!==C.map.height)&&C.mapPass.setSize(C.map.width,C.map.height),u.uniforms.shadow_pass.value=C.map.depthTexture,u.uniforms.resolution.value.set(C.map.width,C.map.height),u.uniforms.radius.value=C.radius,i.setRenderTarget(C.mapPass),i.clear(),i.renderBufferDirect(x,null,w,u,_,null),d.uniforms.shadow_pass.value=C.mapPass.texture,d.uniforms.resolution.value.set(C.map.width,C.map.height),d.uniforms.radius.value=C.radius,i.setRenderTarget(C.map),i.clear(),i.renderBufferDirect(x,null,w,d,_,null)}function A(C,x,w,F){let L=null,D=w.isPointLight===!0?C.customDistanceMaterial:C.customDepthMaterial;if(D!==void 0)L=D;else if(L=w.isPointLight===!0?l:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let V=L.uuid,W=x.uuid,O=c[V];O===void 0&&(O={},c[V]=O);let X=O[W];X===void 0&&(X=L.clone(),O[W]=X,x.addEventListener("dispose",R)),L=X}if(L.visible=x.visible,L.wireframe=x.wireframe,F===$o?L.side=x.shadowSide!==null?x.shadowSide:x.side:L.side=x.shadowSide!==null?x.shadowSide:f[x.side],L.alphaMap=x.alphaMap,L.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,L.map=x.map,L.clipShadows=x.clipShadows,L.clippingPlanes=x.clippingPlanes,L.clipIntersection=x.clipIntersection,L.displacementMap=x.displacementMap,L.displacementScale=x.displacementScale,L.displacementBias=x.displacementBias,L.wireframeLinewidth=x.wireframeLinewidth,L.linewidth=x.linewidth,w.isPointLight===!0&&L.isMeshDistanceMaterial===!0){let V=i.properties.get(L);V.light=w}return L}function S(C,x,w,F,L,D){if(C.visible===!1)return;if(C.layers.test(L)&&(C.isMesh||C.isLine||C.isPoints)&&(C.castShadow||C.receiveShadow&&D===$o)&&(!C.frustumCulled||C.intersectsFrustum(n))){C.modelViewMatrix.multiplyMatrices(w.matrixWorldInverse,C.matrixWorld);let O=t.update(C),X=C.material;if(Array.isArray(X)){let Y=O.groups;for(let H=0,ct=Y.length;H<ct;H++){let K=Y[H],Q=X[K.materialIndex];if(Q&&Q.visible){let st=A(C,Q,F,D);C.onBeforeShadow(i,C,x,w,O,st,K),i.renderBufferDirect(w,null,O,st,C,K),C.onAfterShadow(i,C,x,w,O,st,K)}}}else if(X.visible){let Y=A(C,X,F,D);C.onBeforeShadow(i,C,x,w,O,Y,null),i.renderBufferDirect(w,null,O,Y,C,null),C.onAfterShadow(i,C,x,w,O,Y,null)}}let W=C.children;for(let O=0,X=W.length;O<X;O++)S(W[O],x,w,F,L,D)}function R(C){C.target.removeEventListener("dispose",R);for(let w in c){let F=c[w],L=C.target.uuid;L in F&&(F[L].dispose(),delete F[L])}}}function iE(i,t){function e(){let B=!1,rt=new Qe,nt=null,wt=new Qe(0,0,0,0);return{setMask:function(gt){nt!==gt&&!B&&(i.colorMask(gt,gt,gt,gt),nt=gt)},setLocked:function(gt){B=gt},setClear:function(gt,St,Wt,Qt,lt){lt===!0&&(gt*=Qt,St*=Qt,Wt*=Qt),rt.set(gt,St,Wt,Qt),wt.equals(rt)===!1&&(i.clearColor(gt,St,Wt,Qt),wt.copy(rt))},reset:function(){B=!1,nt=null,wt.set(-1,0,0,0)}}}function n(){let B=!1,rt=!1,nt=null,wt=null,gt=null;return{setReversed:function(St){if(rt!==St){let Wt=t.get("EXT_clip_control");St?Wt.clipControlEXT(Wt.LOWER_LEFT_EXT,Wt.ZERO_TO_ONE_EXT):Wt.clipControlEXT(Wt.LOWER_LEFT_EXT,Wt.NEGATIVE_ONE_TO_ONE_EXT),rt=St;let Qt=gt;gt=null,this.setClear(Qt)}},getReversed:function(){return rt},setTest:function(St){St?Mt(i.DEPTH_TEST):Xt(i.DEPTH_TEST)},setMask:function(St){nt!==St&&!B&&(i.depthMask(St),nt=St)},setFunc:function(St){if(rt&&(St=X0[St]),wt!==St){switch(St){case Fc:i.depthFunc(i.NEVER);break;case Bc:i.depthFunc(i.ALWAYS);break;case kc:i.depthFunc(i.LESS);break;case Uo:i.depthFunc(i.LEQUAL);break;case zc:i.depthFunc(i.EQUAL);break;case Vc:i.depthFunc(i.GEQUAL);break;case Gc:i.depthFunc(i.GREATER);break;case Hc:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}wt=St}},setLocked:function(St){B=St},setClear:function(St){gt!==St&&(gt=St,rt&&(St=1-St),i.clearDepth(St))},reset:function(){B=!1,nt=null,wt=null,gt=null,rt=!1}}}function s(){let B=!1,rt=null,nt=null,wt=null,gt=null,St=null,Wt=null,Qt=null,lt=null;return{setTest:function(Ft){B||(Ft?Mt(i.STENCIL_TEST):Xt(i.STENCIL_TEST))},setMask:function(Ft){rt!==Ft&&!B&&(i.stencilMask(Ft),rt=Ft)},setFunc:function(Ft,te,Ct){(nt!==Ft||wt!==te||gt!==Ct)&&(i.stencilFunc(Ft,te,Ct),nt=Ft,wt=te,gt=Ct)},setOp:function(Ft,te,Ct){(St!==Ft||Wt!==te||Qt!==Ct)&&(i.stencilOp(Ft,te,Ct),St=Ft,Wt=te,Qt=Ct)},setLocked:function(Ft){B=Ft},setClear:function(Ft){lt!==Ft&&(i.clearStencil(Ft),lt=Ft)},reset:function(){B=!1,rt=null,nt=null,wt=null,gt=null,St=null,Wt=null,Qt=null,lt=null}}}let r=new e,o=new n,a=new s,l={},c=new WeakMap,h={},f={},u={},d=new WeakMap,m=[],_=null,p=!1,g=null,v=null,A=null,S=null,R=null,C=null,x=null,w=new zt(0,0,0),F=0,L=!1,D=null,V=null,W=null,O=null,X=null,Y=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),H=!1,ct=0,K=i.getParameter(i.VERSION);K.indexOf("WebGL")!==-1?(ct=parseFloat(/^WebGL (\d)/.exec(K)[1]),H=ct>=1):K.indexOf("OpenGL ES")!==-1&&(ct=parseFloat(/^OpenGL ES (\d)/.exec(K)[1]),H=ct>=2);let Q=null,st={},ft=i.getParameter(i.SCISSOR_BOX),ut=i.getParameter(i.VIEWPORT),tt=new Qe().fromArray(ft),mt=new Qe().fromArray(ut);function xt(B,rt,nt,wt){let gt=new Uint8Array(4),St=i.createTexture();i.bindTexture(B,St),i.texParameteri(B,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(B,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Wt=0;Wt<nt;Wt++)B===i.TEXTURE_3D||B===i.TEXTURE_2D_ARRAY?i.texImage3D(rt,0,i.RGBA,1,1,wt,0,i.RGBA,i.UNSIGNED_BYTE,gt):i.texImage2D(rt+Wt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,gt);return St}let At={};At[i.TEXTURE_2D]=xt(i.TEXTURE_2D,i.TEXTURE_2D,1),At[i.TEXTURE_CUBE_MAP]=xt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),At[i.TEXTURE_2D_ARRAY]=xt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),At[i.TEXTURE_3D]=xt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),Mt(i.DEPTH_TEST),o.setFunc(Uo),dn(!1),Ue(sd),Mt(i.CULL_FACE),Ke(zr);function Mt(B){h[B]!==!0&&(i.enable(B),h[B]=!0)}function Xt(B){h[B]!==!1&&(i.disable(B),h[B]=!1)}function re(B,rt){return u[B]!==rt?(i.bindFramebuffer(B,rt),u[B]=rt,B===i.DRAW_FRAMEBUFFER&&(u[i.FRAMEBUFFER]=rt),B===i.FRAMEBUFFER&&(u[i.DRAW_FRAMEBUFFER]=rt),!0):!1}function Ht(B,rt){let nt=m,wt=!1;if(B){nt=d.get(rt),nt===void 0&&(nt=[],d.set(rt,nt));let gt=B.textures;if(nt.length!==gt.length||nt[0]!==i.COLOR_ATTACHMENT0){for(let St=0,Wt=gt.length;St<Wt;St++)nt[St]=i.COLOR_ATTACHMENT0+St;nt.length=gt.length,wt=!0}}else nt[0]!==i.BACK&&(nt[0]=i.BACK,wt=!0);wt&&i.drawBuffers(nt)}function ue(B){return _!==B?(i.useProgram(B),_=B,!0):!1}let le={[Vr]:i.FUNC_ADD,[p0]:i.FUNC_SUBTRACT,[m0]:i.FUNC_REVERSE_SUBTRACT};le[g0]=i.MIN,le[_0]=i.MAX;let ie={[x0]:i.ZERO,[v0]:i.ONE,[y0]:i.SRC_COLOR,[ld]:i.SRC_ALPHA,[E0]:i.SRC_ALPHA_SATURATE,[w0]:i.DST_COLOR,[M0]:i.DST_ALPHA,[S0]:i.ONE_MINUS_SRC_COLOR,[cd]:i.ONE_MINUS_SRC_ALPHA,[T0]:i.ONE_MINUS_DST_COLOR,[b0]:i.ONE_MINUS_DST_ALPHA,[A0]:i.CONSTANT_COLOR,[C0]:i.ONE_MINUS_CONSTANT_COLOR,[R0]:i.CONSTANT_ALPHA,[P0]:i.ONE_MINUS_CONSTANT_ALPHA};function Ke(B,rt,nt,wt,gt,St,Wt,Qt,lt,Ft){if(B===zr){p===!0&&(Xt(i.BLEND),p=!1);return}if(p===!1&&(Mt(i.BLEND),p=!0),B!==d0){if(B!==g||Ft!==L){if((v!==Vr||R!==Vr)&&(i.blendEquation(i.FUNC_ADD),v=Vr,R=Vr),Ft)switch(B){case Yo:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case rd:i.blendFunc(i.ONE,i.ONE);break;case od:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case ad:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:jt("WebGLState: Invalid blending: ",B);break}else switch(B){case Yo:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case rd:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case od:jt("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case ad:jt("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:jt("WebGLState: Invalid blending: ",B);break}A=null,S=null,C=null,x=null,w.set(0,0,0),F=0,g=B,L=Ft}return}gt=gt||rt,St=St||nt,Wt=Wt||wt,(rt!==v||gt!==R)&&(i.blendEquationSeparate(le[rt],le[gt]),v=rt,R=gt),(nt!==A||wt!==S||St!==C||Wt!==x)&&(i.blendFuncSeparate(ie[nt],ie[wt],ie[St],ie[Wt]),A=nt,S=wt,C=St,x=Wt),(Qt.equals(w)===!1||lt!==F)&&(i.blendColor(Qt.r,Qt.g,Qt.b,lt),w.copy(Qt),F=lt),g=B,L=!1}function We(B,rt){B.side===ri?Xt(i.CULL_FACE):Mt(i.CULL_FACE);let nt=B.side===zn;rt&&(nt=!nt),dn(nt),B.blending===Yo&&B.transparent===!1?Ke(zr):Ke(B.blending,B.blendEquation,B.blendSrc,B.blendDst,B.blendEquationAlpha,B.blendSrcAlpha,B.blendDstAlpha,B.blendColor,B.blendAlpha,B.premultipliedAlpha),o.setFunc(B.depthFunc),o.setTest(B.depthTest),o.setMask(B.depthWrite),r.setMask(B.colorWrite);let wt=B.stencilWrite;a.setTest(wt),wt&&(a.setMask(B.stencilWriteMask),a.setFunc(B.stencilFunc,B.stencilRef,B.stencilFuncMask),a.setOp(B.stencilFail,B.stencilZFail,B.stencilZPass)),Se(B.polygonOffset,B.polygonOffsetFactor,B.polygonOffsetUnits),B.alphaToCoverage===!0?Mt(i.SAMPLE_ALPHA_TO_COVERAGE):Xt(i.SAMPLE_ALPHA_TO_COVERAGE)}function dn(B){D!==B&&(B?i.frontFace(i.CW):i.frontFace(i.CCW),D=B)}function Ue(B){B!==h0?(Mt(i.CULL_FACE),B!==V&&(B===sd?i.cullFace(i.BACK):B===u0?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Xt(i.CULL_FACE),V=B}function In(B){B!==W&&(H&&i.lineWidth(B),W=B)}function Se(B,rt,nt){B?(Mt(i.POLYGON_OFFSET_FILL),(O!==rt||X!==nt)&&(O=rt,X=nt,o.getReversed()&&(rt=-rt,nt=-nt),i.polygonOffset(rt,nt))):Xt(i.POLYGON_OFFSET_FILL)}function Mn(B){B?Mt(i.SCISSOR_TEST):Xt(i.SCISSOR_TEST)}function nn(B){B===void 0&&(B=i.TEXTURE0+Y-1),Q!==B&&(i.activeTexture(B),Q=B)}function pn(B,rt,nt){nt===void 0&&(Q===null?nt=i.TEXTURE0+Y-1:nt=Q);let wt=st[nt];wt===void 0&&(wt={type:void 0,texture:void 0},st[nt]=wt),(wt.type!==B||wt.texture!==rt)&&(Q!==nt&&(i.activeTexture(nt),Q=nt),i.bindTexture(B,rt||At[B]),wt.type=B,wt.texture=rt)}function k(){let B=st[Q];B!==void 0&&B.type!==void 0&&(i.bindTexture(B.type,null),B.type=void 0,B.texture=void 0)}function Rt(){try{i.compressedTexImage2D(...arguments)}catch(B){jt("WebGLState:",B)}}function Zt(){try{i.compressedTexImage3D(...arguments)}catch(B){jt("WebGLState:",B)}}function oe(){try{i.texSubImage2D(...arguments)}catch(B){jt("WebGLState:",B)}}function bt(){try{i.texSubImage3D(...arguments)}catch(B){jt("WebGLState:",B)}}function ke(){try{i.compressedTexSubImage2D(...arguments)}catch(B){jt("WebGLState:",B)}}function Gt(){try{i.compressedTexSubImage3D(...arguments)}catch(B){jt("WebGLState:",B)}}function $t(){try{i.texStorage2D(...arguments)}catch(B){jt("WebGLState:",B)}}function P(){try{i.texStorage3D(...arguments)}catch(B){jt("WebGLState:",B)}}function M(){try{i.texImage2D(...arguments)}catch(B){jt("WebGLState:",B)}}function q(){try{i.texImage3D(...arguments)}catch(B){jt("WebGLState:",B)}}function ht(B){return f[B]!==void 0?f[B]:i.getParameter(B)}function ot(B,rt){f[B]!==rt&&(i.pixelStorei(B,rt),f[B]=rt)}function _t(B){tt.equals(B)===!1&&(i.scissor(B.x,B.y,B.z,B.w),tt.copy(B))}function vt(B){mt.equals(B)===!1&&(i.viewport(B.x,B.y,B.z,B.w),mt.copy(B))}function et(B,rt){let nt=c.get(rt);nt===void 0&&(nt=new WeakMap,c.set(rt,nt));let wt=nt.get(B);wt===void 0&&(wt=i.getUniformBlockIndex(rt,B.name),i.uniformBlockBinding(rt,wt,wt),nt.set(B,wt))}function it(B,rt,nt){let gt=c.get(rt).get(B);l[gt]!==nt&&(i.bindBufferBase(i.UNIFORM_BUFFER,gt,nt),l[gt]=nt)}function pt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},f={},Q=null,st={},u={},l={},d=new WeakMap,m=[],_=null,p=!1,g=null,v=null,A=null,S=null,R=null,C=null,x=null,w=new zt(0,0,0),F=0,L=!1,D=null,V=null,W=null,O=null,X=null,tt.set(0,0,i.canvas.width,i.canvas.height),mt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:Mt,disable:Xt,bindFramebuffer:re,drawBuffers:Ht,useProgram:ue,setBlending:Ke,setMaterial:We,setFlipSided:dn,setCullFace:Ue,setLineWidth:In,setPolygonOffset:Se,setScissorTest:Mn,activeTexture:nn,bindTexture:pn,unbindTexture:k,compressedTexImage2D:Rt,compressedTexImage3D:Zt,texImage2D:M,texImage3D:q,pixelStorei:ot,getParameter:ht,updateUBOMapping:et,uniformBlockBinding:it,texStorage2D:$t,texStorage3D:P,texSubImage2D:oe,texSubImage3D:bt,compressedTexSubImage2D:ke,compressedTexSubImage3D:Gt,scissor:_t,viewport:vt,reset:pt}}function sE(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new Vt,h=new WeakMap,f=new Set,u,d=new WeakMap,m=new Set,_=new FinalizationRegistry(P=>m.delete(P)),p=!1;try{p=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(P,M){return p?new OffscreenCanvas(P,M):za("canvas")}function v(P,M,q){let ht=1,ot=$t(P);if((ot.width>q||ot.height>q)&&(ht=q/Math.max(ot.width,ot.height)),ht<1)if(typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&P instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&P instanceof ImageBitmap||typeof VideoFrame<"u"&&P instanceof VideoFrame){let _t=Math.floor(ht*ot.width),vt=Math.floor(ht*ot.height);u===void 0&&(u=g(_t,vt));let et=M?g(_t,vt):u;return et.width=_t,et.height=vt,et.getContext("2d").drawImage(P,0,0,_t,vt),Yt("WebGLRenderer: Texture has been resized from ("+ot.width+"x"+ot.height+") to ("+_t+"x"+vt+")."),et}else return"data"in P&&Yt("WebGLRenderer: Image in DataTexture is too big ("+ot.width+"x"+ot.height+")."),P;return P}function A(P){return P.generateMipmaps}function S(P){i.generateMipmap(P)}function R(P){return P.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:P.isWebGL3DRenderTarget?i.TEXTURE_3D:P.isWebGLArrayRenderTarget||P.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function C(P,M,q,ht,ot,_t=!1){if(P!==null){if(i[P]!==void 0)return i[P];Yt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+P+"'")}let vt;ht&&(vt=t.get("EXT_texture_norm16"),vt||Yt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let et=M;if(M===i.RED&&(q===i.FLOAT&&(et=i.R32F),q===i.HALF_FLOAT&&(et=i.R16F),q===i.UNSIGNED_BYTE&&(et=i.R8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.R16_EXT),q===i.SHORT&&vt&&(et=vt.R16_SNORM_EXT)),M===i.RED_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.R8UI),q===i.UNSIGNED_SHORT&&(et=i.R16UI),q===i.UNSIGNED_INT&&(et=i.R32UI),q===i.BYTE&&(et=i.R8I),q===i.SHORT&&(et=i.R16I),q===i.INT&&(et=i.R32I)),M===i.RG&&(q===i.FLOAT&&(et=i.RG32F),q===i.HALF_FLOAT&&(et=i.RG16F),q===i.UNSIGNED_BYTE&&(et=i.RG8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.RG16_EXT),q===i.SHORT&&vt&&(et=vt.RG16_SNORM_EXT)),M===i.RG_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RG8UI),q===i.UNSIGNED_SHORT&&(et=i.RG16UI),q===i.UNSIGNED_INT&&(et=i.RG32UI),q===i.BYTE&&(et=i.RG8I),q===i.SHORT&&(et=i.RG16I),q===i.INT&&(et=i.RG32I)),M===i.RGB_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RGB8UI),q===i.UNSIGNED_SHORT&&(et=i.RGB16UI),q===i.UNSIGNED_INT&&(et=i.RGB32UI),q===i.BYTE&&(et=i.RGB8I),q===i.SHORT&&(et=i.RGB16I),q===i.INT&&(et=i.RGB32I)),M===i.RGBA_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),q===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),q===i.UNSIGNED_INT&&(et=i.RGBA32UI),q===i.BYTE&&(et=i.RGBA8I),q===i.SHORT&&(et=i.RGBA16I),q===i.INT&&(et=i.RGBA32I)),M===i.RGB&&(q===i.UNSIGNED_SHORT&&vt&&(et=vt.RGB16_EXT),q===i.SHORT&&vt&&(et=vt.RGB16_SNORM_EXT),q===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),q===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),M===i.RGBA){let it=_t?ka:_e.getTransfer(ot);q===i.FLOAT&&(et=i.RGBA32F),q===i.HALF_FLOAT&&(et=i.RGBA16F),q===i.UNSIGNED_BYTE&&(et=it===Pe?i.SRGB8_ALPHA8:i.RGBA8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.RGBA16_EXT),q===i.SHORT&&vt&&(et=vt.RGBA16_SNORM_EXT),q===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),q===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function x(P,M){let q;return P?M===null||M===Di||M===Hr?q=i.DEPTH24_STENCIL8:M===li?q=i.DEPTH32F_STENCIL8:M===Jo&&(q=i.DEPTH24_STENCIL8,Yt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):M===null||M===Di||M===Hr?q=i.DEPTH_COMPONENT24:M===li?q=i.DEPTH_COMPONENT32F:M===Jo&&(q=i.DEPTH_COMPONENT16),q}function w(P,M){return A(P)===!0||P.isFramebufferTexture&&P.minFilter!==Fn&&P.minFilter!==ni?Math.log2(Math.max(M.width,M.height))+1:P.mipmaps.length>0?P.mipmaps.length:P.isCompressedTexture&&Array.isArray(P.image)?M.mipmaps.length:1}function F(P){let M=new WeakRef(P);n.get(P).__ref=M,m.add(M),_.register(P,M,M)}function L(P){let M=n.get(P).__ref;M!==void 0&&(m.delete(M),_.unregister(M))}function D(P){W(P.target)}function V(P){O(P.target)}function W(P){P.removeEventListener("dispose",D),L(P),Y(P),P.isVideoTexture&&h.delete(P),P.isHTMLTexture&&f.delete(P)}function O(P){P.removeEventListener("dispose",V),L(P),ct(P)}function X(){for(let P of m){let M=P.deref();M!==void 0&&(M.isRenderTarget===!0?O(M):W(M))}m.clear(),f.clear()}function Y(P){let M=n.get(P);if(M.__webglInit===void 0)return;let q=P.source,ht=d.get(q);if(ht){let ot=ht[M.__cacheKey];ot.usedTimes--,ot.usedTimes===0&&H(P),Object.keys(ht).length===0&&d.delete(q)}n.remove(P)}function H(P){let M=n.get(P);i.deleteTexture(M.__webglTexture);let q=P.source,ht=d.get(q);delete ht[M.__cacheKey],o.memory.textures--}function ct(P){let M=n.get(P);M.__depthDisposeCallback&&M.__depthDisposeCallback();let q=P.depthTexture;if(q&&q.renderTarget===P&&W(q),P.isWebGLCubeRenderTarget)for(let ot=0;ot<6;ot++){if(Array.isArray(M.__webglFramebuffer[ot]))for(let _t=0;_t<M.__webglFramebuffer[ot].length;_t++)i.deleteFramebuffer(M.__webglFramebuffer[ot][_t]);else i.deleteFramebuffer(M.__webglFramebuffer[ot]);M.__webglDepthbuffer&&i.deleteRenderbuffer(M.__webglDepthbuffer[ot])}else{if(Array.isArray(M.__webglFramebuffer))for(let ot=0;ot<M.__webglFramebuffer.length;ot++)i.deleteFramebuffer(M.__webglFramebuffer[ot]);else i.deleteFramebuffer(M.__webglFramebuffer);if(M.__webglDepthbuffer&&i.deleteRenderbuffer(M.__webglDepthbuffer),M.__webglMultisampledFramebuffer&&i.deleteFramebuffer(M.__webglMultisampledFramebuffer),M.__webglColorRenderbuffer)for(let ot=0;ot<M.__webglColorRenderbuffer.length;ot++)M.__webglColorRenderbuffer[ot]&&i.deleteRenderbuffer(M.__webglColorRenderbuffer[ot]);M.__webglDepthRenderbuffer&&i.deleteRenderbuffer(M.__webglDepthRenderbuffer)}let ht=P.textures;for(let ot=0,_t=ht.length;ot<_t;ot++){let vt=n.get(ht[ot]);vt.__webglTexture&&(i.deleteTexture(vt.__webglTexture),o.memory.textures--),n.remove(ht[ot])}n.remove(P)}let K=0;function Q(){K=0}function st(){return K}function ft(P){K=P}function ut(){let P=K;return P>=s.maxTextures&&Yt("WebGLTextures: Trying to use "+(P+1)+" texture units while this GPU supports only "+s.maxTextures),K+=1,P}function tt(P){let M=[];return M.push(P.wrapS),M.push(P.wrapT),M.push(P.wrapR||0),M.push(P.magFilter),M.push(P.minFilter),M.push(P.anisotropy),M.push(P.internalFormat),M.push(P.format),M.push(P.type),M.push(P.generateMipmaps),M.push(P.mipmapsAutoUpdate),M.push(P.premultiplyAlpha),M.push(P.flipY),M.push(P.unpackAlignment),M.push(P.colorSpace),M.join()}function mt(P,M){let q=n.get(P);if(P.isVideoTexture&&ke(P),P.isRenderTargetTexture===!1&&P.isExternalTexture!==!0&&P.version>0&&q.__version!==P.version){let ht=P.image;if(ht===null)Yt("WebGLRenderer: Texture marked for update but no image data found.");else if(ht.complete===!1)Yt("WebGLRenderer: Texture marked for update but image is incomplete");else{We(q,P,M);return}}else P.isExternalTexture&&(q.__webglTexture=P.sourceTexture?P.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,q.__webglTexture,i.TEXTURE0+M)}function xt(P,M){let q=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&q.__version!==P.version){We(q,P,M);return}else P.isExternalTexture&&(q.__webglTexture=P.sourceTexture?P.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,q.__webglTexture,i.TEXTURE0+M)}function At(P,M){let q=n.get(P);if(P.isRenderTargetTexture===!1&&P.version>0&&q.__version!==P.version){We(q,P,M);return}e.bindTexture(i.TEXTURE_3D,q.__webglTexture,i.TEXTURE0+M)}function Mt(P,M){let q=n.get(P);if(P.version>0&&q.__version!==P.version){dn(q,P,M);return}e.bindTexture(i.TEXTURE_CUBE_MAP,q.__webglTexture,i.TEXTURE0+M)}let Xt={[Wc]:i.REPEAT,[as]:i.CLAMP_TO_EDGE,[Xc]:i.MIRRORED_REPEAT},re={[Fn]:i.NEAREST,[D0]:i.NEAREST_MIPMAP_NEAREST,[cl]:i.NEAREST_MIPMAP_LINEAR,[ni]:i.LINEAR,[xh]:i.LINEAR_MIPMAP_NEAREST,[ks]:i.LINEAR_MIPMAP_LINEAR},Ht={[F0]:i.NEVER,[Ed]:i.ALWAYS,[B0]:i.LESS,[wd]:i.LEQUAL,[k0]:i.EQUAL,[Td]:i.GEQUAL,[z0]:i.GREATER,[V0]:i.NOTEQUAL};function ue(P,M){if(M.type===li&&t.has("OES_texture_float_linear")===!1&&(M.magFilter===ni||M.magFilter===xh||M.magFilter===cl||M.magFilter===ks||M.minFilter===ni||M.minFilter===xh||M.minFilter===cl||M.minFilter===ks)&&Yt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(P,i.TEXTURE_WRAP_S,Xt[M.wrapS]),i.texParameteri(P,i.TEXTURE_WRAP_T,Xt[M.wrapT]),(P===i.TEXTURE_3D||P===i.TEXTURE_2D_ARRAY)&&i.texParameteri(P,i.TEXTURE_WRAP_R,Xt[M.wrapR]),i.texParameteri(P,i.TEXTURE_MAG_FILTER,re[M.magFilter]),i.texParameteri(P,i.TEXTURE_MIN_FILTER,re[M.minFilter]),M.compareFunction&&(i.texParameteri(P,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(P,i.TEXTURE_COMPARE_FUNC,Ht[M.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(M.magFilter===Fn||M.minFilter!==cl&&M.minFilter!==ks||M.type===li&&t.has("OES_texture_float_linear")===!1)return;if(M.anisotropy>1||n.get(M).__currentAnisotropy){let q=t.get("EXT_texture_filter_anisotropic");i.texParameterf(P,q.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(M.anisotropy,s.getMaxAnisotropy())),n.get(M).__currentAnisotropy=M.anisotropy}}}function le(P,M){let q=!1;P.__webglInit===void 0&&(P.__webglInit=!0,M.addEventListener("dispose",D),F(M));let ht=M.source,ot=d.get(ht);ot===void 0&&(ot={},d.set(ht,ot));let _t=tt(M);if(_t!==P.__cacheKey){ot[_t]===void 0&&(ot[_t]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,q=!0),ot[_t].usedTimes++;let vt=ot[P.__cacheKey];vt!==void 0&&(ot[P.__cacheKey].usedTimes--,vt.usedTimes===0&&H(M)),P.__cacheKey=_t,P.__webglTexture=ot[_t].texture}return q}function ie(P,M,q){return Math.floor(Math.floor(P/q)/M)}function Ke(P,M,q,ht){let _t=P.updateRanges;if(_t.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,M.width,M.height,q,ht,M.data);else{_t.sort((B,rt)=>B.start-rt.start);let vt=0;for(let B=1;B<_t.length;B++){let rt=_t[vt],nt=_t[B],wt=rt.start+rt.count,gt=ie(nt.start,M.width,4),St=ie(rt.start,M.width,4);nt.start<=wt+1&&gt===St&&ie(nt.start+nt.count-1,M.width,4)===gt?rt.count=Math.max(rt.count,nt.start+nt.count-rt.start):(++vt,_t[vt]=nt)}_t.length=vt+1;let et=e.getParameter(i.UNPACK_ROW_LENGTH),it=e.getParameter(i.UNPACK_SKIP_PIXELS),pt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,M.width);for(let B=0,rt=_t.length;B<rt;B++){let nt=_t[B],wt=Math.floor(nt.start/4),gt=Math.ceil(nt.count/4),St=wt%M.width,Wt=Math.floor(wt/M.width),Qt=gt,lt=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,St),e.pixelStorei(i.UNPACK_SKIP_ROWS,Wt),e.texSubImage2D(i.TEXTURE_2D,0,St,Wt,Qt,lt,q,ht,M.data)}P.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,et),e.pixelStorei(i.UNPACK_SKIP_PIXELS,it),e.pixelStorei(i.UNPACK_SKIP_ROWS,pt)}}function We(P,M,q){let ht=i.TEXTURE_2D;(M.isDataArrayTexture||M.isCompressedArrayTexture)&&(ht=i.TEXTURE_2D_ARRAY),M.isData3DTexture&&(ht=i.TEXTURE_3D);let ot=le(P,M),_t=M.source;e.bindTexture(ht,P.__webglTexture,i.TEXTURE0+q);let vt=n.get(_t);if(_t.version!==vt.__version||ot===!0){if(e.activeTexture(i.TEXTURE0+q),(typeof ImageBitmap<"u"&&M.image instanceof ImageBitmap)===!1){let lt=_e.getPrimaries(_e.workingColorSpace),Ft=M.colorSpace===Vs?null:_e.getPrimaries(M.colorSpace),te=M.colorSpace===Vs||lt===Ft?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,M.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,M.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,te)}e.pixelStorei(i.UNPACK_ALIGNMENT,M.unpackAlignment);let it=v(M.image,!1,s.maxTextureSize);it=Gt(M,it);let pt=r.convert(M.format,M.colorSpace),B=r.convert(M.type),rt=C(M.internalFormat,pt,B,M.normalized,M.colorSpace,M.isVideoTexture);ue(ht,M);let nt,wt=M.mipmaps,gt=M.isVideoTexture!==!0,St=vt.__version===void 0||ot===!0,Wt=_t.dataReady,Qt=w(M,it);if(M.isDepthTexture)rt=x(M.format===zs,M.type),St&&(gt?e.texStorage2D(i.TEXTURE_2D,1,rt,it.width,it.height):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,B,null));else if(M.isDataTexture)if(wt.length>0){gt&&St&&e.texStorage2D(i.TEXTURE_2D,Qt,rt,wt[0].width,wt[0].height);for(let lt=0,Ft=wt.length;lt<Ft;lt++)nt=wt[lt],gt?Wt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,B,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,B,nt.data);M.generateMipmaps=!1}else gt?(St&&e.texStorage2D(i.TEXTURE_2D,Qt,rt,it.width,it.height),Wt&&Ke(M,it,pt,B)):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,B,it.data);else if(M.isCompressedTexture)if(M.isCompressedArrayTexture){gt&&St&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Qt,rt,wt[0].width,wt[0].height,it.depth);for(let lt=0,Ft=wt.length;lt<Ft;lt++)if(nt=wt[lt],M.format!==Mi)if(pt!==null)if(gt){if(Wt)if(M.layerUpdates.size>0){let te=Fd(nt.width,nt.height,M.format,M.type);for(let Ct of M.layerUpdates){let ae=nt.data.subarray(Ct*te/nt.data.BYTES_PER_ELEMENT,(Ct+1)*te/nt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,Ct,nt.width,nt.height,1,pt,ae)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,nt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,nt.data,0,0);else Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else gt?Wt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,B,nt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,pt,B,nt.data);M.layerUpdates.size>0&&M.clearLayerUpdates()}else{gt&&St&&e.texStorage2D(i.TEXTURE_2D,Qt,rt,wt[0].width,wt[0].height);for(let lt=0,Ft=wt.length;lt<Ft;lt++)nt=wt[lt],M.format!==Mi?pt!==null?gt?Wt&&e.compressedTexSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,nt.data):e.compressedTexImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,nt.data):Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):gt?Wt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,B,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,B,nt.data)}else if(M.isDataArrayTexture)if(gt){if(St&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Qt,rt,it.width,it.height,it.depth),Wt)if(M.layerUpdates.size>0){let lt=Fd(it.width,it.height,M.format,M.type);for(let Ft of M.layerUpdates){let te=it.data.subarray(Ft*lt/it.data.BYTES_PER_ELEMENT,(Ft+1)*lt/it.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Ft,it.width,it.height,1,pt,B,te)}M.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,it.width,it.height,it.depth,pt,B,it.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,rt,it.width,it.height,it.depth,0,pt,B,it.data);else if(M.isData3DTexture)gt?(St&&e.texStorage3D(i.TEXTURE_3D,Qt,rt,it.width,it.height,it.depth),Wt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,it.width,it.height,it.depth,pt,B,it.data)):e.texImage3D(i.TEXTURE_3D,0,rt,it.width,it.height,it.depth,0,pt,B,it.data);else if(M.isFramebufferTexture){if(St)if(gt)e.texStorage2D(i.TEXTURE_2D,Qt,rt,it.width,it.height);else{let lt=it.width,Ft=it.height;for(let te=0;te<Qt;te++)e.texImage2D(i.TEXTURE_2D,te,rt,lt,Ft,0,pt,B,null),lt>>=1,Ft>>=1}}else if(M.isHTMLTexture){if("texElementImage2D"in i){let lt=i.canvas;if(lt.hasAttribute("layoutsubtree")||lt.setAttribute("layoutsubtree","true"),it.parentNode!==lt){lt.appendChild(it),f.add(M),lt.onpaint=Ft=>{let te=Ft.changedElements;for(let Ct of f)te.includes(Ct.image)&&(Ct.needsUpdate=!0)},lt.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,it);else{let te=i.RGBA,Ct=i.RGBA,ae=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,te,Ct,ae,it)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(wt.length>0){if(gt&&St){let lt=$t(wt[0]);e.texStorage2D(i.TEXTURE_2D,Qt,rt,lt.width,lt.height)}for(let lt=0,Ft=wt.length;lt<Ft;lt++)nt=wt[lt],gt?Wt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,pt,B,nt):e.texImage2D(i.TEXTURE_2D,lt,rt,pt,B,nt);M.generateMipmaps=!1}else if(gt){if(St){let lt=$t(it);e.texStorage2D(i.TEXTURE_2D,Qt,rt,lt.width,lt.height)}Wt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,pt,B,it)}else e.texImage2D(i.TEXTURE_2D,0,rt,pt,B,it);A(M)&&M.mipmapsAutoUpdate===!0&&S(ht),vt.__version=_t.version,M.onUpdate&&M.onUpdate(M)}P.__version=M.version}function dn(P,M,q){if(M.image.length!==6)return;let ht=le(P,M),ot=M.source;e.bindTexture(i.TEXTURE_CUBE_MAP,P.__webglTexture,i.TEXTURE0+q);let _t=n.get(ot);if(ot.version!==_t.__version||ht===!0){e.activeTexture(i.TEXTURE0+q);let vt=_e.getPrimaries(_e.workingColorSpace),et=M.colorSpace===Vs?null:_e.getPrimaries(M.colorSpace),it=M.colorSpace===Vs||vt===et?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,M.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,M.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,M.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,it);let pt=M.isCompressedTexture||M.image[0].isCompressedTexture,B=M.image[0]&&M.image[0].isDataTexture,rt=[];for(let Ct=0;Ct<6;Ct++)!pt&&!B?rt[Ct]=v(M.image[Ct],!0,s.maxCubemapSize):rt[Ct]=B?M.image[Ct].image:M.image[Ct],rt[Ct]=Gt(M,rt[Ct]);let nt=rt[0],wt=r.convert(M.format,M.colorSpace),gt=r.convert(M.type),St=C(M.internalFormat,wt,gt,M.normalized,M.colorSpace),Wt=M.isVideoTexture!==!0,Qt=_t.__version===void 0||ht===!0,lt=ot.dataReady,Ft=w(M,nt);ue(i.TEXTURE_CUBE_MAP,M);let te;if(M.isDepthTexture){if(St=x(M.format===zs,M.type),Qt)if(Wt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,St,nt.width,nt.height);else for(let Ct=0;Ct<6;Ct++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,St,nt.width,nt.height,0,wt,gt,null)}else if(pt){Wt&&Qt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ft,St,nt.width,nt.height);for(let Ct=0;Ct<6;Ct++){te=rt[Ct].mipmaps;for(let ae=0;ae<te.length;ae++){let Xe=te[ae];M.format!==Mi?wt!==null?Wt?lt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,0,0,Xe.width,Xe.height,wt,Xe.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,St,Xe.width,Xe.height,0,Xe.data):Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Wt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,0,0,Xe.width,Xe.height,wt,gt,Xe.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,St,Xe.width,Xe.height,0,wt,gt,Xe.data)}}}else{if(te=M.mipmaps,Wt&&Qt){te.length>0&&Ft++;let Ct=$t(rt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ft,St,Ct.width,Ct.height)}for(let Ct=0;Ct<6;Ct++)if(B){Wt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,rt[Ct].width,rt[Ct].height,wt,gt,rt[Ct].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,St,rt[Ct].width,rt[Ct].height,0,wt,gt,rt[Ct].data);for(let ae=0;ae<te.length;ae++){let Yn=te[ae].image[Ct].image;Wt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,0,0,Yn.width,Yn.height,wt,gt,Yn.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,St,Yn.width,Yn.height,0,wt,gt,Yn.data)}}else{Wt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,wt,gt,rt[Ct]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,St,wt,gt,rt[Ct]);for(let ae=0;ae<te.length;ae++){let Xe=te[ae];Wt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,0,0,wt,gt,Xe.image[Ct]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,St,wt,gt,Xe.image[Ct])}}}A(M)&&M.mipmapsAutoUpdate===!0&&S(i.TEXTURE_CUBE_MAP),_t.__version=ot.version,M.onUpdate&&M.onUpdate(M)}P.__version=M.version}function Ue(P,M,q,ht,ot,_t){let vt=r.convert(q.format,q.colorSpace),et=r.convert(q.type),it=C(q.internalFormat,vt,et,q.normalized,q.colorSpace),pt=n.get(M),B=n.get(q);if(B.__renderTarget=M,!pt.__hasExternalTextures){let rt=Math.max(1,M.width>>_t),nt=Math.max(1,M.height>>_t);ot===i.TEXTURE_3D||ot===i.TEXTURE_2D_ARRAY?e.texImage3D(ot,_t,it,rt,nt,M.depth,0,vt,et,null):e.texImage2D(ot,_t,it,rt,nt,0,vt,et,null)}e.bindFramebuffer(i.FRAMEBUFFER,P),bt(M)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ht,ot,B.__webglTexture,0,oe(M)):(ot===i.TEXTURE_2D||ot>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&ot<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ht,ot,B.__webglTexture,_t),e.bindFramebuffer(i.FRAMEBUFFER,null)}function In(P,M,q){if(i.bindRenderbuffer(i.RENDERBUFFER,P),M.depthBuffer){let ht=M.depthTexture,ot=ht&&ht.isDepthTexture?ht.type:null,_t=x(M.stencilBuffer,ot),vt=M.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;bt(M)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(M),_t,M.width,M.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(M),_t,M.width,M.height):i.renderbufferStorage(i.RENDERBUFFER,_t,M.width,M.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,vt,i.RENDERBUFFER,P)}else{let ht=M.textures;for(let ot=0;ot<ht.length;ot++){let _t=ht[ot],vt=r.convert(_t.format,_t.colorSpace),et=r.convert(_t.type),it=C(_t.internalFormat,vt,et,_t.normalized,_t.colorSpace);bt(M)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(M),it,M.width,M.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(M),it,M.width,M.height):i.renderbufferStorage(i.RENDERBUFFER,it,M.width,M.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Se(P,M,q){let ht=M.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,P),!(M.depthTexture&&M.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let ot=n.get(M.depthTexture);ot.__renderTarget=M;let _t=ht?M.depthTexture.image[0]:M.depthTexture.image;(!ot.__webglTexture||_t.width!==M.width||_t.height!==M.height)&&(_t.width=M.width,_t.height=M.height,M.depthTexture.needsUpdate=!0),ht?Mt(M.depthTexture,0):mt(M.depthTexture,0);let vt=ot.__webglTexture,et=oe(M),it=ht?i.TEXTURE_CUBE_MAP_POSITIVE_X+q:i.TEXTURE_2D,pt=M.depthTexture.format===zs?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(M.depthTexture.format===Is)bt(M)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,vt,0);else if(M.depthTexture.format===zs)bt(M)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,vt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function Mn(P){let M=n.get(P),q=P.isWebGLCubeRenderTarget===!0;if(M.__boundDepthTexture!==P.depthTexture){let ht=P.depthTexture;if(M.__depthDisposeCallback&&M.__depthDisposeCallback(),ht){let ot=()=>{delete M.__boundDepthTexture,delete M.__depthDisposeCallback,ht.removeEventListener("dispose",ot)};ht.addEventListener("dispose",ot),M.__depthDisposeCallback=ot}M.__boundDepthTexture=ht}if(P.depthTexture&&!M.__autoAllocateDepthBuffer)if(q)for(let ht=0;ht<6;ht++)Se(M.__webglFramebuffer[ht],P,ht);else P.texture.mipmaps.length>0?Se(M.__webglFramebuffer[0],P,0):Se(M.__webglFramebuffer,P,0);else if(q){M.__webglDepthbuffer=[];for(let ht=0;ht<6;ht++)if(e.bindFramebuffer(i.FRAMEBUFFER,M.__webglFramebuffer[ht]),M.__webglDepthbuffer[ht]===void 0)M.__webglDepthbuffer[ht]=i.createRenderbuffer(),In(M.__webglDepthbuffer[ht],P,!1);else{let ot=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_t=M.__webglDepthbuffer[ht];i.bindRenderbuffer(i.RENDERBUFFER,_t),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,_t)}}else if(P.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,M.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,M.__webglFramebuffer),M.__webglDepthbuffer===void 0)M.__webglDepthbuffer=i.createRenderbuffer(),In(M.__webglDepthbuffer,P,!1);else{let ot=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_t=M.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,_t),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,_t)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function nn(P,M,q){let ht=n.get(P);M!==void 0&&Ue(ht.__webglFramebuffer,P,P.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),q!==void 0&&Mn(P)}function pn(P){let M=P.texture,q=n.get(P),ht=n.get(M);P.addEventListener("dispose",V),F(P);let ot=P.textures,_t=P.isWebGLCubeRenderTarget===!0,vt=ot.length>1;if(vt||(ht.__webglTexture===void 0&&(ht.__webglTexture=i.createTexture()),ht.__version=M.version,o.memory.textures++),_t){q.__webglFramebuffer=[];for(let et=0;et<6;et++)if(M.mipmaps.length>0){q.__webglFramebuffer[et]=[];for(let it=0;it<M.mipmaps.length;it++)q.__webglFramebuffer[et][it]=i.createFramebuffer()}else q.__webglFramebuffer[et]=i.createFramebuffer()}else{if(M.mipmaps.length>0){q.__webglFramebuffer=[];for(let et=0;et<M.mipmaps.length;et++)q.__webglFramebuffer[et]=i.createFramebuffer()}else q.__webglFramebuffer=i.createFramebuffer();if(vt)for(let et=0,it=ot.length;et<it;et++){let pt=n.get(ot[et]);pt.__webglTexture===void 0&&(pt.__webglTexture=i.createTexture(),o.memory.textures++)}if(P.samples>0&&bt(P)===!1){q.__webglMultisampledFramebuffer=i.createFramebuffer(),q.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,q.__webglMultisampledFramebuffer);for(let et=0;et<ot.length;et++){let it=ot[et];q.__webglColorRenderbuffer[et]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,q.__webglColorRenderbuffer[et]);let pt=r.convert(it.format,it.colorSpace),B=r.convert(it.type),rt=C(it.internalFormat,pt,B,it.normalized,it.colorSpace,P.isXRRenderTarget===!0),nt=oe(P);i.renderbufferStorageMultisample(i.RENDERBUFFER,nt,rt,P.width,P.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+et,i.RENDERBUFFER,q.__webglColorRenderbuffer[et])}i.bindRenderbuffer(i.RENDERBUFFER,null),P.depthBuffer&&(q.__webglDepthRenderbuffer=i.createRenderbuffer(),In(q.__webglDepthRenderbuffer,P,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(_t){e.bindTexture(i.TEXTURE_CUBE_MAP,ht.__webglTexture),ue(i.TEXTURE_CUBE_MAP,M);for(let et=0;et<6;et++)if(M.mipmaps.length>0)for(let it=0;it<M.mipmaps.length;it++)Ue(q.__webglFramebuffer[et][it],P,M,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,it);else Ue(q.__webglFramebuffer[et],P,M,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,0);A(M)?S(i.TEXTURE_CUBE_MAP):M.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,M.mipmaps.length-1),e.unbindTexture()}else if(vt){for(let et=0,it=ot.length;et<it;et++){let pt=ot[et],B=n.get(pt),rt=i.TEXTURE_2D;(P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(rt=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(rt,B.__webglTexture),ue(rt,pt),Ue(q.__webglFramebuffer,P,pt,i.COLOR_ATTACHMENT0+et,rt,0),A(pt)&&S(rt)}e.unbindTexture()}else{let et=i.TEXTURE_2D;if((P.isWebGL3DRenderTarget||P.isWebGLArrayRenderTarget)&&(et=P.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(et,ht.__webglTexture),ue(et,M),M.mipmaps.length>0)for(let it=0;it<M.mipmaps.length;it++)Ue(q.__webglFramebuffer[it],P,M,i.COLOR_ATTACHMENT0,et,it);else Ue(q.__webglFramebuffer,P,M,i.COLOR_ATTACHMENT0,et,0);A(M)?S(et):M.mipmaps.length>0&&i.texParameteri(et,i.TEXTURE_MAX_LEVEL,M.mipmaps.length-1),e.unbindTexture()}P.depthBuffer&&Mn(P)}function k(P){let M=P.textures;for(let q=0,ht=M.length;q<ht;q++){let ot=M[q];if(A(ot)&&ot.mipmapsAutoUpdate===!0){let _t=R(P),vt=n.get(ot).__webglTexture;e.bindTexture(_t,vt),S(_t),e.unbindTexture()}}}let Rt=[];function Zt(P){if(P.samples>0){if(bt(P)===!1){let M=P.textures,q=P.width,ht=P.height,ot=i.COLOR_BUFFER_BIT,_t=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,vt=n.get(P),et=M.length>1;if(et)for(let pt=0;pt<M.length;pt++)e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,vt.__webglMultisampledFramebuffer),P.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer);for(let pt=0;pt<M.length;pt++){if(P.resolveDepthBuffer&&(P.depthBuffer&&(ot|=i.DEPTH_BUFFER_BIT),P.stencilBuffer&&P.resolveStencilBuffer&&(ot|=i.STENCIL_BUFFER_BIT)),et){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let B=n.get(M[pt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,B,0)}i.blitFramebuffer(0,0,q,ht,0,0,q,ht,ot,i.NEAREST),l===!0&&(Rt.length=0,Rt.push(i.COLOR_ATTACHMENT0+pt),P.depthBuffer&&P.storeMultisampledDepthBuffer===!1&&Rt.push(_t),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Rt))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),et)for(let pt=0;pt<M.length;pt++){e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let B=n.get(M[pt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,B,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglMultisampledFramebuffer)}else if(P.depthBuffer&&P.storeMultisampledDepthBuffer===!1&&l){let M=P.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[M])}}}function oe(P){return Math.min(s.maxSamples,P.samples)}function bt(P){let M=n.get(P);return P.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&M.__useRenderToTexture!==!1}function ke(P){let M=o.render.frame;h.get(P)!==M&&(h.set(P,M),P.update())}function Gt(P,M){let q=P.colorSpace,ht=P.format,ot=P.type;return P.isCompressedTexture===!0||P.isVideoTexture===!0||q!==Ba&&q!==Vs&&(_e.getTransfer(q)===Pe?(ht!==Mi||ot!==ci)&&Yt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):jt("WebGLTextures: Unsupported texture color space:",q)),M}function $t(P){return typeof HTMLImageElement<"u"&&P instanceof HTMLImageElement?(c.width=P.naturalWidth||P.width,c.height=P.naturalHeight||P.height):typeof VideoFrame<"u"&&P instanceof VideoFrame?(c.width=P.displayWidth,c.height=P.displayHeight):(c.width=P.width,c.height=P.height),c}this.allocateTextureUnit=ut,this.resetTextureUnits=Q,this.getTextureUnits=st,this.setTextureUnits=ft,this.setTexture2D=mt,this.setTexture2DArray=xt,this.setTexture3D=At,this.setTextureCube=Mt,this.rebindTextures=nn,this.setupRenderTarget=pn,this.updateRenderTargetMipmap=k,this.updateMultisampleRenderTarget=Zt,this.setupDepthRenderbuffer=Mn,this.setupFrameBufferTexture=Ue,this.useMultisampledRTT=bt,this.dispose=X}function rE(i,t){function e(n,s=Vs){let r,o=_e.getTransfer(s);if(n===ci)return i.UNSIGNED_BYTE;if(n===yh)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Sh)return i.UNSIGNED_SHORT_5_5_5_1;if(n===yd)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Sd)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===xd)return i.BYTE;if(n===vd)return i.SHORT;if(n===Jo)return i.UNSIGNED_SHORT;if(n===vh)return i.INT;if(n===Di)return i.UNSIGNED_INT;if(n===li)return i.FLOAT;if(n===qi)return i.HALF_FLOAT;if(n===Md)return i.ALPHA;if(n===bd)return i.RGB;if(n===Mi)return i.RGBA;if(n===Is)return i.DEPTH_COMPONENT;if(n===zs)return i.DEPTH_STENCIL;if(n===Mh)return i.RED;if(n===hl)return i.RED_INTEGER;if(n===ur)return i.RG;if(n===bh)return i.RG_INTEGER;if(n===wh)return i.RGBA_INTEGER;if(n===ul||n===fl||n===dl||n===pl)if(o===Pe)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===ul)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===fl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===dl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===pl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===ul)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===fl)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===dl)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===pl)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Th||n===Eh||n===Ah||n===Ch)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Th)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Eh)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Ah)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Ch)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Rh||n===Ph||n===Ih||n===Lh||n===Dh||n===ml||n===Nh)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Rh||n===Ph)return o===Pe?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Ih)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===Lh)return r.COMPRESSED_R11_EAC;if(n===Dh)return r.COMPRESSED_SIGNED_R11_EAC;if(n===ml)return r.COMPRESSED_RG11_EAC;if(n===Nh)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===Oh||n===Uh||n===Fh||n===Bh||n===kh||n===zh||n===Vh||n===Gh||n===Hh||n===Wh||n===Xh||n===qh||n===$h||n===Yh)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Oh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Uh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Fh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Bh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===kh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===zh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Vh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Gh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Hh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Wh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Xh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===qh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===$h)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Yh)return o===Pe?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Zh||n===Jh||n===Kh)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===Zh)return o===Pe?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Jh)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Kh)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===jh||n===Qh||n===gl||n===tu)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===jh)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Qh)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===gl)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===tu)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===Hr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var oE=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,aE=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,qd=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new Qa(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new Li({vertexShader:oE,fragmentShader:aE,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Me(new Or(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},$d=class extends Wi{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,f=null,u=null,d=null,m=null,_=typeof XRWebGLBinding<"u",p=new qd,g={},v=e.getContextAttributes(),A=null,S=null,R=[],C=[],x=new Vt,w=null,F=null,L=new un;L.viewport=new Qe;let D=new un;D.viewport=new Qe;let V=[L,D],W=new ph,O=null,X=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(tt){let mt=R[tt];return mt===void 0&&(mt=new Go,R[tt]=mt),mt.getTargetRaySpace()},this.getControllerGrip=function(tt){let mt=R[tt];return mt===void 0&&(mt=new Go,R[tt]=mt),mt.getGripSpace()},this.getHand=function(tt){let mt=R[tt];return mt===void 0&&(mt=new Go,R[tt]=mt),mt.getHandSpace()};function Y(tt){let mt=C.indexOf(tt.inputSource);if(mt===-1)return;let xt=R[mt];xt!==void 0&&(xt.update(tt.inputSource,tt.frame,c||o),xt.dispatchEvent({type:tt.type,data:tt.inputSource}))}function H(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",H),s.removeEventListener("inputsourceschange",ct);for(let tt=0;tt<R.length;tt++){let mt=C[tt];mt!==null&&(C[tt]=null,R[tt].disconnect(mt))}O=null,X=null,p.reset();for(let tt in g)delete g[tt];if(t.setRenderTarget(A),d=null,u=null,f=null,s=null,S=null,ut.stop(),n.isPresenting=!1,t.setPixelRatio(w),t.setSize(x.width,x.height,!1),F!==null){let tt=F.camera;tt.fov=F.fov,tt.zoom=F.zoom,tt.updateProjectionMatrix(),F=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(tt){r=tt,n.isPresenting===!0&&Yt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(tt){a=tt,n.isPresenting===!0&&Yt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(tt){c=tt},this.getBaseLayer=function(){return u!==null?u:d},this.getBinding=function(){return f===null&&_&&(f=new XRWebGLBinding(s,e)),f},this.getFrame=function(){return m},this.getSession=function(){return s},this.setSession=async function(tt){if(s=tt,s!==null){if(A=t.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",H),s.addEventListener("inputsourceschange",ct),v.xrCompatible!==!0&&await e.makeXRCompatible(),w=t.getPixelRatio(),t.getSize(x),_&&"createProjectionLayer"in XRWebGLBinding.prototype){let xt=null,At=null,Mt=null;v.depth&&(Mt=v.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,xt=v.stencil?zs:Is,At=v.stencil?Hr:Di);let Xt={colorFormat:e.RGBA8,depthFormat:Mt,scaleFactor:r};f=this.getBinding(),u=f.createProjectionLayer(Xt),s.updateRenderState({layers:[u]}),t.setPixelRatio(1),t.setSize(u.textureWidth,u.textureHeight,!1),S=new bi(u.textureWidth,u.textureHeight,{format:Mi,type:ci,depthTexture:new Os(u.textureWidth,u.textureHeight,At,void 0,void 0,void 0,void 0,void 0,void 0,xt),stencilBuffer:v.stencil,colorSpace:t.outputColorSpace,samples:v.antialias?4:0,resolveDepthBuffer:u.ignoreDepthValues===!1,resolveStencilBuffer:u.ignoreDepthValues===!1,storeMultisampledDepthBuffer:u.ignoreDepthValues===!1,storeMultisampledStencilBuffer:u.ignoreDepthValues===!1})}else{let xt={antialias:v.antialias,alpha:!0,depth:v.depth,stencil:v.stencil,framebufferScaleFactor:r};d=new XRWebGLLayer(s,e,xt),s.updateRenderState({baseLayer:d}),t.setPixelRatio(1),t.setSize(d.framebufferWidth,d.framebufferHeight,!1),S=new bi(d.framebufferWidth,d.framebufferHeight,{format:Mi,type:ci,colorSpace:t.outputColorSpace,stencilBuffer:v.stencil,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ut.setContext(s),ut.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return p.getDepthTexture()};function ct(tt){for(let mt=0;mt<tt.removed.length;mt++){let xt=tt.removed[mt],At=C.indexOf(xt);At>=0&&(C[At]=null,R[At].disconnect(xt))}for(let mt=0;mt<tt.added.length;mt++){let xt=tt.added[mt],At=C.indexOf(xt);if(At===-1){for(let Xt=0;Xt<R.length;Xt++)if(Xt>=C.length){C.push(xt),At=Xt;break}else if(C[Xt]===null){C[Xt]=xt,At=Xt;break}if(At===-1)break}let Mt=R[At];Mt&&Mt.connect(xt)}}function K(tt,mt){mt===null?tt.matrixWorld.copy(tt.matrix):tt.matrixWorld.multiplyMatrices(mt.matrixWorld,tt.matrix),tt.matrixWorldInverse.copy(tt.matrixWorld).invert()}this.updateCamera=function(tt){if(s===null)return;let mt=tt.near,xt=tt.far;p.texture!==null&&(p.depthNear>0&&(mt=p.depthNear),p.depthFar>0&&(xt=p.depthFar)),W.near=D.near=L.near=mt,W.far=D.far=L.far=xt,(O!==W.near||X!==W.far)&&(s.updateRenderState({depthNear:W.near,depthFar:W.far}),O=W.near,X=W.far),W.layers.mask=tt.layers.mask|6,L.layers.mask=W.layers.mask&-5,D.layers.mask=W.layers.mask&-3;let At=tt.parent,Mt=W.cameras;K(W,At);for(let Xt=0;Xt<Mt.length;Xt++)K(Mt[Xt],At);W.projectionMatrix.copy(L.projectionMatrix),W.projectionMatrixInverse.copy(L.projectionMatrixInverse),F===null&&tt.isPerspectiveCamera&&(F={camera:tt,fov:tt.fov,zoom:tt.zoom}),Q(tt,W,At)};function Q(tt,mt,xt){xt===null?tt.matrix.copy(mt.matrixWorld):(tt.matrix.copy(xt.matrixWorld),tt.matrix.invert(),tt.matrix.multiply(mt.matrixWorld)),tt.matrix.decompose(tt.position,tt.quaternion,tt.scale),tt.updateMatrixWorld(!0),tt.projectionMatrix.copy(mt.projectionMatrix),tt.projectionMatrixInverse.copy(mt.projectionMatrixInverse),tt.isPerspectiveCamera&&(tt.fov=ko*2*Math.atan(1/tt.projectionMatrix.elements[5]),tt.zoom=1)}this.getCamera=function(){return W},this.getFoveation=function(){if(!(u===null&&d===null))return l},this.setFoveation=function(tt){l=tt,u!==null&&(u.fixedFoveation=tt),d!==null&&d.fixedFoveation!==void 0&&(d.fixedFoveation=tt)},this.hasDepthSensing=function(){return p.texture!==null},this.getDepthSensingMesh=function(){return p.getMesh(W)},this.getCameraTexture=function(tt){return g[tt]};let st=null;function ft(tt,mt){if(h=mt.getViewerPose(c||o),m=mt,h!==null){let xt=h.views;d!==null&&(t.setRenderTargetFramebuffer(S,d.framebuffer),t.setRenderTarget(S));let At=!1;xt.length!==W.cameras.length&&(W.cameras.length=0,At=!0);for(let Ht=0;Ht<xt.length;Ht++){let ue=xt[Ht],le=null;if(d!==null)le=d.getViewport(ue);else{let Ke=f.getViewSubImage(u,ue);le=Ke.viewport,Ht===0&&(t.setRenderTargetTextures(S,Ke.colorTexture,Ke.depthStencilTexture),t.setRenderTarget(S))}let ie=V[Ht];ie===void 0&&(ie=new un,ie.layers.enable(Ht),ie.viewport=new Qe,V[Ht]=ie),ie.matrix.fromArray(ue.transform.matrix),ie.matrix.decompose(ie.position,ie.quaternion,ie.scale),ie.projectionMatrix.fromArray(ue.projectionMatrix),ie.projectionMatrixInverse.copy(ie.projectionMatrix).invert(),ie.viewport.set(le.x,le.y,le.width,le.height),Ht===0&&(W.matrix.copy(ie.matrix),W.matrix.decompose(W.position,W.quaternion,W.scale)),At===!0&&W.cameras.push(ie)}let Mt=s.enabledFeatures;if(Mt&&Mt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&_){f=n.getBinding();let Ht=f.getDepthInformation(xt[0]);Ht&&Ht.isValid&&Ht.texture&&p.init(Ht,s.renderState)}if(Mt&&Mt.includes("camera-access")&&_){t.state.unbindTexture(),f=n.getBinding();for(let Ht=0;Ht<xt.length;Ht++){let ue=xt[Ht].camera;if(ue){let le=g[ue];le||(le=new Qa,g[ue]=le);let ie=f.getCameraImage(ue);le.sourceTexture=ie}}}}for(let xt=0;xt<R.length;xt++){let At=C[xt],Mt=R[xt];At!==null&&Mt!==void 0&&Mt.update(At,mt,c||o)}st&&st(tt,mt),mt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:mt}),m=null}let ut=new x_;ut.setAnimationLoop(ft),this.setAnimationLoop=function(tt){st=tt},this.dispose=function(){}}},lE=new ye,C_=new ne;C_.set(-1,0,0,0,1,0,0,0,1);function cE(i,t){function e(p,g){p.matrixAutoUpdate===!0&&p.updateMatrix(),g.value.copy(p.matrix)}function n(p,g){g.color.getRGB(p.fogColor.value,Nd(i)),g.isFog?(p.fogNear.value=g.near,p.fogFar.value=g.far):g.isFogExp2&&(p.fogDensity.value=g.density)}function s(p,g,v,A,S){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(p,g):g.isMeshLambertMaterial?(r(p,g),g.envMap&&(p.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(p,g),f(p,g)):g.isMeshPhongMaterial?(r(p,g),h(p,g),g.envMap&&(p.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(p,g),u(p,g),g.isMeshPhysicalMaterial&&d(p,g,S)):g.isMeshMatcapMaterial?(r(p,g),m(p,g)):g.isMeshDepthMaterial?r(p,g):g.isMeshDistanceMaterial?(r(p,g),_(p,g)):g.isMeshNormalMaterial?r(p,g):g.isLineBasicMaterial?(o(p,g),g.isLineDashedMaterial&&a(p,g)):g.isPointsMaterial?l(p,g,v,A):g.isSpriteMaterial?c(p,g):g.isShadowMaterial?(p.color.value.copy(g.color),p.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(p,g){p.opacity.value=g.opacity,g.color&&p.diffuse.value.copy(g.color),g.emissive&&p.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(p.map.value=g.map,e(g.map,p.mapTransform)),g.alphaMap&&(p.alphaMap.value=g.alphaMap,e(g.alphaMap,p.alphaMapTransform)),g.bumpMap&&(p.bumpMap.value=g.bumpMap,e(g.bumpMap,p.bumpMapTransform),p.bumpScale.value=g.bumpScale,g.side===zn&&(p.bumpScale.value*=-1)),g.normalMap&&(p.normalMap.value=g.normalMap,e(g.normalMap,p.normalMapTransform),p.normalScale.value.copy(g.normalScale),g.side===zn&&p.normalScale.value.negate()),g.displacementMap&&(p.displacementMap.value=g.displacementMap,e(g.displacementMap,p.displacementMapTransform),p.displacementScale.value=g.displacementScale,p.displacementBias.value=g.displacementBias),g.emissiveMap&&(p.emissiveMap.value=g.emissiveMap,e(g.emissiveMap,p.emissiveMapTransform)),g.specularMap&&(p.specularMap.value=g.specularMap,e(g.specularMap,p.specularMapTransform)),g.alphaTest>0&&(p.alphaTest.value=g.alphaTest);let v=t.get(g),A=v.envMap,S=v.envMapRotation;A&&(p.envMap.value=A,p.envMapRotation.value.setFromMatrix4(lE.makeRotationFromEuler(S)).transpose(),A.isCubeTexture&&A.isRenderTargetTexture===!1&&p.envMapRotation.value.premultiply(C_),p.reflectivity.value=g.reflectivity,p.ior.value=g.ior,p.refractionRatio.value=g.refractionRatio),g.lightMap&&(p.lightMap.value=g.lightMap,p.lightMapIntensity.value=g.lightMapIntensity,e(g.lightMap,p.lightMapTransform)),g.aoMap&&(p.aoMap.value=g.aoMap,p.aoMapIntensity.value=g.aoMapIntensity,e(g.aoMap,p.aoMapTransform))}function o(p,g){p.diffuse.value.copy(g.color),p.opacity.value=g.opacity,g.map&&(p.map.value=g.map,e(g.map,p.mapTransform))}function a(p,g){p.dashSize.value=g.dashSize,p.totalSize.value=g.dashSize+g.gapSize,p.scale.value=g.scale}function l(p,g,v,A){p.diffuse.value.copy(g.color),p.opacity.value=g.opacity,p.size.value=g.size*v,p.scale.value=A*.5,g.map&&(p.map.value=g.map,e(g.map,p.uvTransform)),g.alphaMap&&(p.alphaMap.value=g.alphaMap,e(g.alphaMap,p.alphaMapTransform)),g.alphaTest>0&&(p.alphaTest.value=g.alphaTest)}function c(p,g){p.diffuse.value.copy(g.color),p.opacity.value=g.opacity,p.rotation.value=g.rotation,g.map&&(p.map.value=g.map,e(g.map,p.mapTransform)),g.alphaMap&&(p.alphaMap.value=g.alphaMap,e(g.alphaMap,p.alphaMapTransform)),g.alphaTest>0&&(p.alphaTest.value=g.alphaTest)}function h(p,g){p.specular.value.copy(g.specular),p.shininess.value=Math.max(g.shininess,1e-4)}function f(p,g){g.gradientMap&&(p.gradientMap.value=g.gradientMap)}function u(p,g){p.metalness.value=g.metalness,g.metalnessMap&&(p.metalnessMap.value=g.metalnessMap,e(g.metalnessMap,p.metalnessMapTransform)),p.roughness.value=g.roughness,g.roughnessMap&&(p.roughnessMap.value=g.roughnessMap,e(g.roughnessMap,p.roughnessMapTransform)),g.envMap&&(p.envMapIntensity.value=g.envMapIntensity)}function d(p,g,v){p.ior.value=g.ior,g.diffuseRoughness>0&&(p.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(p.diffuseRoughnessMap.value=g.diffuseRoughnessMap,e(g.diffuseRoughnessMap,p.diffuseRoughnessMapTransform))),g.sheen>0&&(p.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),p.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(p.sheenColorMap.value=g.sheenColorMap,e(g.sheenColorMap,p.sheenColorMapTransform)),g.sheenRoughnessMap&&(p.sheenRoughnessMap.value=g.sheenRoughnessMap,e(g.sheenRoughnessMap,p.sheenRoughnessMapTransform))),g.clearcoat>0&&(p.clearcoat.value=g.clearcoat,p.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(p.clearcoatMap.value=g.clearcoatMap,e(g.clearcoatMap,p.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(p.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,e(g.clearcoatRoughnessMap,p.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(p.clearcoatNormalMap.value=g.clearcoatNormalMap,e(g.clearcoatNormalMap,p.clearcoatNormalMapTransform),p.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===zn&&p.clearcoatNormalScale.value.negate())),g.dispersion>0&&(p.dispersion.value=g.dispersion),g.retroreflectivity>0&&(p.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(p.iridescence.value=g.iridescence,p.iridescenceIOR.value=g.iridescenceIOR,p.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,p.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(p.iridescenceMap.value=g.iridescenceMap,e(g.iridescenceMap,p.iridescenceMapTransform)),g.iridescenceThicknessMap&&(p.iridescenceThicknessMap.value=g.iridescenceThicknessMap,e(g.iridescenceThicknessMap,p.iridescenceThicknessMapTransform))),g.transmission>0&&(p.transmission.value=g.transmission,p.transmissionSamplerMap.value=v.texture,p.transmissionSamplerSize.value.set(v.width,v.height),g.transmissionMap&&(p.transmissionMap.value=g.transmissionMap,e(g.transmissionMap,p.transmissionMapTransform)),p.thickness.value=g.thickness,g.thicknessMap&&(p.thicknessMap.value=g.thicknessMap,e(g.thicknessMap,p.thicknessMapTransform)),p.attenuationDistance.value=g.attenuationDistance,p.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(p.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(p.anisotropyMap.value=g.anisotropyMap,e(g.anisotropyMap,p.anisotropyMapTransform))),p.specularIntensity.value=g.specularIntensity,p.specularColor.value.copy(g.specularColor),g.specularColorMap&&(p.specularColorMap.value=g.specularColorMap,e(g.specularColorMap,p.specularColorMapTransform)),g.specularIntensityMap&&(p.specularIntensityMap.value=g.specularIntensityMap,e(g.specularIntensityMap,p.specularIntensityMapTransform))}function m(p,g){g.matcap&&(p.matcap.value=g.matcap)}function _(p,g){let v=t.get(g).light;p.referencePosition.value.setFromMatrixPosition(v.matrixWorld),p.nearDistance.value=v.shadow.camera.near,p.farDistance.value=v.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function hE(i,t,e,n){let s={},r={};function o(v,A){let S=A.program;n.uniformBlockBinding(v,S,s[v.id])}function a(v,A){let S=s[v.id];S===void 0&&(m(v),S=l(v),s[v.id]=S,v.addEventListener("dispose",p));let R=A.program;n.updateUBOMapping(v,R);let C=t.render.frame;r[v.id]!==C&&(c(v),r[v.id]=C)}function l(v){let A=i.createBuffer(),S=v.__size,R=v.usage;return i.bindBuffer(i.UNIFORM_BUFFER,A),i.bufferData(i.UNIFORM_BUFFER,S,R),i.bindBuffer(i.UNIFORM_BUFFER,null),A}function c(v){let A=s[v.id],S=v.uniforms,R=v.__cache;i.bindBuffer(i.UNIFORM_BUFFER,A);for(let C=0,x=S.length;C<x;C++){let w=S[C];if(Array.isArray(w))for(let F=0,L=w.length;F<L;F++)h(w[F],C,F,R);else h(w,C,0,R)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(v,A,S,R){if(u(v,A,S,R)===!0){let C=v.__offset,x=v.value;if(Array.isArray(x)){let w=0;for(let F=0;F<x.length;F++){let L=x[F],D=_(L,!0);f(L,v.__data,w),w+=D.storage/Float32Array.BYTES_PER_ELEMENT}}else f(x,v.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,C,v.__data)}}function f(v,A,S){typeof v=="number"||typeof v=="boolean"?A[S]=v:v.isMatrix3?(A[S]=v.elements[0],A[S+1]=v.elements[1],A[S+2]=v.elements[2],A[S+3]=0,A[S+4]=v.elements[3],A[S+5]=v.elements[4],A[S+6]=v.elements[5],A[S+7]=0,A[S+8]=v.elements[6],A[S+9]=v.elements[7],A[S+10]=v.elements[8],A[S+11]=0):ArrayBuffer.isView(v)?A.set(v.subarray(0,A.length-S),S):v.toArray(A,S)}function u(v,A,S,R){let C=v.value,x=A+"_"+S;if(Array.isArray(C)){R[x]===void 0&&(R[x]=[]);let w=R[x],F=!1;for(let L=0;L<C.length;L++)d(C[L],w,L)===!0&&(F=!0);return F}return d(C,R,x)}function d(v,A,S){if(A[S]===void 0)return typeof v=="number"||typeof v=="boolean"?A[S]=v:ArrayBuffer.isView(v)?A[S]=v.slice():A[S]=v.clone(),!0;{let R=A[S];if(typeof v=="number"||typeof v=="boolean"){if(R!==v)return A[S]=v,!0}else{if(ArrayBuffer.isView(v))return!0;if(R.equals(v)===!1)return R.copy(v),!0}}return!1}function m(v){let A=v.uniforms,S=0,R=16;for(let x=0,w=A.length;x<w;x++){let F=Array.isArray(A[x])?A[x]:[A[x]];for(let L=0,D=F.length;L<D;L++){let V=F[L],W=Array.isArray(V.value)?V.value:[V.value],O=Array.isArray(A[x])||Array.isArray(V.value),X=S;for(let H=0,ct=W.length;H<ct;H++){let K=W[H],Q=_(K,O),st=S%R,ft=st%Q.boundary,ut=st+ft;S+=ft,ut!==0&&R-ut<Q.storage&&(S+=R-ut),H===0&&(X=S),S+=Q.storage}let Y=V.type==="int"?Int32Array:V.type==="uint"?Uint32Array:Float32Array;V.__data=new Y((S-X)/Float32Array.BYTES_PER_ELEMENT),V.__offset=X}}let C=S%R;return C>0&&(S+=R-C),v.__size=S,v.__cache={},this}function _(v,A){let S={boundary:0,storage:0};return typeof v=="number"||typeof v=="boolean"?(S.boundary=4,S.storage=4):v.isVector2?(S.boundary=8,S.storage=8):v.isVector3||v.isColor?(S.boundary=16,S.storage=12):v.isVector4?(S.boundary=16,S.storage=16):v.isMatrix3?(S.boundary=16,S.storage=48):v.isMatrix4?(S.boundary=16,S.storage=64):v.isTexture?Yt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(v)?(S.boundary=16,S.storage=v.byteLength):Yt("WebGLRenderer: Unsupported uniform value type.",v),A===!0&&(S.boundary=16,S.storage=Math.ceil(S.storage/16)*16),S}function p(v){let A=v.target;A.removeEventListener("dispose",p),i.deleteBuffer(s[A.id]),delete s[A.id],delete r[A.id]}function g(){for(let v in s)i.deleteBuffer(s[v]);s={},r={}}return{bind:o,update:a,dispose:g}}var uE=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ps=null;function fE(){return ps===null&&(ps=new sr(uE,16,16,ur,qi),ps.name="DFG_LUT",ps.minFilter=ni,ps.magFilter=ni,ps.wrapS=as,ps.wrapT=as,ps.generateMipmaps=!1,ps.needsUpdate=!0),ps}var dr=class{constructor(t={}){let{canvas:e=G0(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:f=!1,reversedDepthBuffer:u=!1,outputBufferType:d=ci}=t;this.isWebGLRenderer=!0;let m;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");m=n.getContextAttributes().alpha}else m=o;let _=d,p=new Set([wh,bh,hl]),g=new Set([ci,Di,Jo,Hr,yh,Sh]),v=new Uint32Array(4),A=new Int32Array(4),S={textures:[],min:[],max:[],resolution:[]},R=null,C=null,x=[],w=[],F=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=ds,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let L=this,D=!1,V=null,W=null,O=null,X=null;this._outputColorSpace=kn;let Y=0,H=0,ct=null,K=-1,Q=null,st=new Qe,ft=new Qe,ut=null,tt=new zt(0),mt=0,xt=e.width,At=e.height,Mt=1,Xt=null,re=null,Ht=new Qe(0,0,xt,At),ue=new Qe(0,0,xt,At),le=!1,ie=new Ns,Ke=new Ya,We=!1,dn=!1,Ue=new ye,In=new U,Se=new Qe,Mn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},nn=!1;function pn(){return ct===null?Mt:1}let k=n;function Rt(E,z){return e.getContext(E,z)}let Zt,oe,bt,ke,Gt,$t,P,M,q,ht,ot,_t,vt,et,it,pt,B,rt,nt,wt,gt,St,Wt;try{let E={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:f};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Ft,!1),e.addEventListener("webglcontextrestored",te,!1),e.addEventListener("webglcontextcreationerror",Ct,!1),k===null){let z="webgl2";if(k=Rt(z,E),k===null)throw Rt(z)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Qt()}catch(E){throw e.removeEventListener("webglcontextlost",Ft,!1),e.removeEventListener("webglcontextrestored",te,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),jt("WebGLRenderer: "+E.message),E}function Qt(){Zt=new b1(k),Zt.init(),gt=new rE(k,Zt),oe=new f1(k,Zt,t,gt),bt=new iE(k,Zt),oe.reversedDepthBuffer&&u&&bt.buffers.depth.setReversed(!0),W=k.createFramebuffer(),O=k.createFramebuffer(),X=k.createFramebuffer(),ke=new E1(k),Gt=new HT,$t=new sE(k,Zt,bt,Gt,oe,gt,ke),P=new M1(L),M=new CM(k),St=new h1(k,M),q=new w1(k,M,ke,St),ht=new C1(k,q,M,St,ke),rt=new A1(k,oe,$t),it=new d1(Gt),ot=new GT(L,P,Zt,oe,St,it),_t=new cE(L,Gt),vt=new XT,et=new KT(Zt),B=new c1(L,P,bt,ht,m,l),pt=new nE(L,ht,oe),Wt=new hE(k,ke,oe,bt),nt=new u1(k,Zt,ke),wt=new T1(k,Zt,ke),ke.programs=ot.programs,L.capabilities=oe,L.extensions=Zt,L.properties=Gt,L.renderLists=vt,L.shadowMap=pt,L.state=bt,L.info=ke}_!==ci&&(F=new P1(_,e.width,e.height,a,s,r));let lt=new $d(L,k);this.xr=lt,this.getContext=function(){return k},this.getContextAttributes=function(){return k.getContextAttributes()},this.forceContextLoss=function(){let E=Zt.get("WEBGL_lose_context");E&&E.loseContext()},this.forceContextRestore=function(){let E=Zt.get("WEBGL_lose_context");E&&E.restoreContext()},this.getPixelRatio=function(){return Mt},this.setPixelRatio=function(E){E!==void 0&&(Mt=E,this.setSize(xt,At,!1))},this.getSize=function(E){return E.set(xt,At)},this.setSize=function(E,z,j=!0){if(lt.isPresenting){Yt("WebGLRenderer: Can't change size while VR device is presenting.");return}xt=E,At=z,e.width=Math.floor(E*Mt),e.height=Math.floor(z*Mt),j===!0&&(e.style.width=E+"px",e.style.height=z+"px"),F!==null&&F.setSize(e.width,e.height),this.setViewport(0,0,E,z)},this.getDrawingBufferSize=function(E){return E.set(xt*Mt,At*Mt).floor()},this.setDrawingBufferSize=function(E,z,j){xt=E,At=z,Mt=j,e.width=Math.floor(E*j),e.height=Math.floor(z*j),this.setViewport(0,0,E,z)},this.setEffects=function(E){if(_===ci){jt("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(E){for(let z=0;z<E.length;z++)if(E[z].isOutputPass===!0){Yt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}F.setEffects(E||[])},this.getCurrentViewport=function(E){return E.copy(st)},this.getViewport=function(E){return E.copy(Ht)},this.setViewport=function(E,z,j,$){E.isVector4?Ht.set(E.x,E.y,E.z,E.w):Ht.set(E,z,j,$),bt.viewport(st.copy(Ht).multiplyScalar(pn()).round())},this.getScissor=function(E){return E.copy(ue)},this.setScissor=function(E,z,j,$){E.isVector4?ue.set(E.x,E.y,E.z,E.w):ue.set(E,z,j,$),bt.scissor(ft.copy(ue).multiplyScalar(pn()).round())},this.getScissorTest=function(){return le},this.setScissorTest=function(E){bt.setScissorTest(le=E)},this.setOpaqueSort=function(E){Xt=E},this.setTransparentSort=function(E){re=E},this.getClearColor=function(E){return E.copy(B.getClearColor())},this.setClearColor=function(){B.setClearColor(...arguments)},this.getClearAlpha=function(){return B.getClearAlpha()},this.setClearAlpha=function(){B.setClearAlpha(...arguments)},this.clear=function(E=!0,z=!0,j=!0){let $=0;if(E){let Z=!1;if(ct!==null){let Tt=ct.texture.format;Z=p.has(Tt)}if(Z){let Tt=ct.texture.type,Pt=g.has(Tt),Et=B.getClearColor(),It=B.getClearAlpha(),kt=Et.r,ee=Et.g,fe=Et.b;Pt?(v[0]=kt,v[1]=ee,v[2]=fe,v[3]=It,k.clearBufferuiv(k.COLOR,0,v)):(A[0]=kt,A[1]=ee,A[2]=fe,A[3]=It,k.clearBufferiv(k.COLOR,0,A))}else $|=k.COLOR_BUFFER_BIT}z&&($|=k.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),j&&($|=k.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),$!==0&&k.clear($)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(E){E.setRenderer(this),V=E},this.dispose=function(){e.removeEventListener("webglcontextlost",Ft,!1),e.removeEventListener("webglcontextrestored",te,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),B.dispose(),vt.dispose(),et.dispose(),$t.dispose(),Gt.dispose(),P.dispose(),ht.dispose(),q.dispose(),St.dispose(),Wt.dispose(),ot.dispose(),lt.dispose(),lt.removeEventListener("sessionstart",Al),lt.removeEventListener("sessionend",$i),_s.stop()};function Ft(E){E.preventDefault(),Va("WebGLRenderer: Context Lost."),D=!0}function te(){Va("WebGLRenderer: Context Restored."),D=!1;let E=ke.autoReset,z=pt.enabled,j=pt.autoUpdate,$=pt.needsUpdate,Z=pt.type;Qt(),ke.autoReset=E,pt.enabled=z,pt.autoUpdate=j,pt.needsUpdate=$,pt.type=Z}function Ct(E){jt("WebGLRenderer: A WebGL context could not be created. Reason: ",E.statusMessage)}function ae(E){let z=E.target;z.removeEventListener("dispose",ae),Xe(z)}function Xe(E){Yn(E),Gt.remove(E)}function Yn(E){let z=Gt.get(E).programs;z!==void 0&&(z.forEach(function(j){ot.releaseProgram(j)}),E.isShaderMaterial&&ot.releaseShaderCache(E))}this.renderBufferDirect=function(E,z,j,$,Z,Tt){z===null&&(z=Mn);let Pt=Z.isMesh&&Z.matrixWorld.determinantAffine()<0,Et=la(E,z,j,$,Z);bt.setMaterial($,Pt);let It=j.index,kt=1;if($.wireframe===!0){if(It=q.getWireframeAttribute(j),It===void 0)return;kt=2}let ee=j.drawRange,fe=j.attributes.position,Bt=ee.start*kt,de=(ee.start+ee.count)*kt;Tt!==null&&(Bt=Math.max(Bt,Tt.start*kt),de=Math.min(de,(Tt.start+Tt.count)*kt)),It!==null?(Bt=Math.max(Bt,0),de=Math.min(de,It.count)):fe!=null&&(Bt=Math.max(Bt,0),de=Math.min(de,fe.count));let tn=de-Bt;if(tn<0||tn===1/0)return;St.setup(Z,$,Et,j,It);let Ie,Le=nt;if(It!==null&&(Ie=M.get(It),Le=wt,Le.setIndex(Ie)),Z.isMesh)$.wireframe===!0?(bt.setLineWidth($.wireframeLinewidth*pn()),Le.setMode(k.LINES)):Le.setMode(k.TRIANGLES);else if(Z.isLine){let bn=$.linewidth;bn===void 0&&(bn=1),bt.setLineWidth(bn*pn()),Z.isLineSegments?Le.setMode(k.LINES):Z.isLineLoop?Le.setMode(k.LINE_LOOP):Le.setMode(k.LINE_STRIP)}else Z.isPoints?Le.setMode(k.POINTS):Z.isSprite&&Le.setMode(k.TRIANGLES);if(Z.isBatchedMesh)if(Zt.get("WEBGL_multi_draw"))Le.renderMultiDraw(Z._multiDrawStarts,Z._multiDrawCounts,Z._multiDrawCount);else{let bn=Z._multiDrawStarts,Ot=Z._multiDrawCounts,mn=Z._multiDrawCount,xe=It?M.get(It).bytesPerElement:1,vs=Gt.get($).currentProgram.getUniforms();for(let gn=0;gn<mn;gn++)vs.setValue(k,"_gl_DrawID",gn),Le.render(bn[gn]/xe,Ot[gn])}else if(Z.isInstancedMesh)Le.renderInstances(Bt,tn,Z.count);else if(j.isInstancedBufferGeometry){let bn=j._maxInstanceCount!==void 0?j._maxInstanceCount:1/0,Ot=Math.min(j.instanceCount,bn);Le.renderInstances(Bt,tn,Ot)}else Le.render(Bt,tn)};function ra(E,z,j,$){V!==null&&E.isNodeMaterial&&V.setObject($,E),We===!0&&it.setState(E,j,!1),E.transparent===!0&&E.side===ri&&E.forceSinglePass===!1?(E.side=zn,E.needsUpdate=!0,Yi(E,z,$),E.side=hr,E.needsUpdate=!0,Yi(E,z,$),E.side=ri):Yi(E,z,$)}this.compile=function(E,z,j=null){j===null&&(j=E),V!==null&&V.renderStart(E,z,j),C=et.get(j),C.init(z),w.push(C),j.traverseVisible(function(Z){Z.isLight&&Z.layers.test(z.layers)&&(C.pushLight(Z),Z.castShadow&&C.pushShadow(Z))}),E!==j&&E.traverseVisible(function(Z){Z.isLight&&Z.layers.test(z.layers)&&(C.pushLight(Z),Z.castShadow&&C.pushShadow(Z))}),C.setupLights(),V!==null&&V.updateLights(C.state.lightsArray),dn=this.localClippingEnabled,We=it.init(this.clippingPlanes,dn),We===!0&&it.setGlobalState(this.clippingPlanes,z),V!==null&&pt.render(C.state.shadowsArray,j,z);let $=new Set;return E.traverse(function(Z){if(!(Z.isMesh||Z.isPoints||Z.isLine||Z.isSprite))return;let Tt=Z.material;if(Tt)if(Array.isArray(Tt))for(let Pt=0;Pt<Tt.length;Pt++){let Et=Tt[Pt];ra(Et,j,z,Z),$.add(Et)}else ra(Tt,j,z,Z),$.add(Tt)}),C=w.pop(),V!==null&&V.renderEnd(),$},this.compileAsync=function(E,z,j=null){let $=this.compile(E,z,j);return new Promise(Z=>{function Tt(){if($.forEach(function(Pt){let It=Gt.get(Pt).currentProgram;(It===void 0||It.isReady())&&$.delete(Pt)}),$.size===0){Z(E);return}setTimeout(Tt,10)}Zt.get("KHR_parallel_shader_compile")!==null?Tt():setTimeout(Tt,10)})};let $r=null;function Eu(E){$r&&$r(E)}function Al(){_s.stop()}function $i(){_s.start()}let _s=new x_;_s.setAnimationLoop(Eu),typeof self<"u"&&_s.setContext(self),this.setAnimationLoop=function(E){$r=E,lt.setAnimationLoop(E),E===null?_s.stop():_s.start()},lt.addEventListener("sessionstart",Al),lt.addEventListener("sessionend",$i),this.render=function(E,z){if(z!==void 0&&z.isCamera!==!0){jt("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(D===!0)return;V!==null&&V.renderStart(E,z);let j=lt.enabled===!0&&lt.isPresenting===!0,$=F!==null&&(ct===null||j)&&F.begin(L,ct);if(E.matrixWorldAutoUpdate===!0&&E.updateMatrixWorld(),z.parent===null&&z.matrixWorldAutoUpdate===!0&&z.updateMatrixWorld(),lt.enabled===!0&&lt.isPresenting===!0&&(F===null||F.isCompositing()===!1)&&(lt.cameraAutoUpdate===!0&&lt.updateCamera(z),z=lt.getCamera()),E.isScene===!0&&E.onBeforeRender(L,E,z,ct),C=et.get(E,w.length),C.init(z),C.state.textureUnits=$t.getTextureUnits(),w.push(C),Ue.multiplyMatrices(z.projectionMatrix,z.matrixWorldInverse),z.isArrayCamera?Ke.setFromArrayCamera(z):ie.setFromProjectionMatrix(Ue,Ii,z.reversedDepth),dn=this.localClippingEnabled,We=it.init(this.clippingPlanes,dn),R=vt.get(E,x.length),R.init(),x.push(R),this.info.render.frame++,lt.enabled===!0&&lt.isPresenting===!0){let Pt=L.xr.getDepthSensingMesh();Pt!==null&&xs(Pt,z,-1/0,L.sortObjects)}xs(E,z,0,L.sortObjects),R.finish(),V!==null&&V.updateLights(C.state.lightsArray),L.sortObjects===!0&&R.sort(Xt,re),nn=lt.enabled===!1||lt.isPresenting===!1||lt.hasDepthSensing()===!1,nn&&B.addToRenderList(R,E),this.info.autoReset===!0&&this.info.reset(),We===!0&&it.beginShadows();let Z=C.state.shadowsArray;if(pt.render(Z,E,z),We===!0&&it.endShadows(),($&&F.hasRenderPass())===!1){let Pt=R.opaque,Et=R.transmissive;if(C.setupLights(),z.isArrayCamera){let It=z.cameras;if(Et.length>0)for(let kt=0,ee=It.length;kt<ee;kt++){let fe=It[kt];Ni(Pt,Et,E,fe)}nn&&B.render(E);for(let kt=0,ee=It.length;kt<ee;kt++){let fe=It[kt];oa(R,E,fe,fe.viewport)}}else Et.length>0&&Ni(Pt,Et,E,z),nn&&B.render(E),oa(R,E,z)}ct!==null&&H===0&&($t.updateMultisampleRenderTarget(ct),$t.updateRenderTargetMipmap(ct)),$&&F.end(L),E.isScene===!0&&E.onAfterRender(L,E,z),St.resetDefaultState(),K=-1,Q=null,w.pop(),w.length>0?(C=w[w.length-1],$t.setTextureUnits(C.state.textureUnits),We===!0&&it.setGlobalState(L.clippingPlanes,C.state.camera)):C=null,x.pop(),x.length>0?R=x[x.length-1]:R=null,V!==null&&V.renderEnd()};function xs(E,z,j,$){if(E.visible===!1)return;if(E.layers.test(z.layers)){if(E.isGroup)j=E.renderOrder;else if(E.isLOD)E.autoUpdate===!0&&E.update(z);else if(E.isLight)C.pushLight(E),E.castShadow&&C.pushShadow(E);else if(E.isSprite){let Pt=z.isArrayCamera?Ke:ie;if(!E.frustumCulled||E.intersectsFrustum(Pt)){$&&Se.setFromMatrixPosition(E.matrixWorld).applyMatrix4(Ue);let Et=ht.update(E),It=E.material;It.visible&&R.push(E,Et,It,j,Se.z,null,z)}}else if(E.isMesh||E.isLine||E.isPoints){let Pt=z.isArrayCamera?Ke:ie;if(!E.frustumCulled||E.intersectsFrustum(Pt)){let Et=ht.update(E),It=E.material;if($&&(E.boundingSphere!==void 0?(E.boundingSphere===null&&E.computeBoundingSphere(),Se.copy(E.boundingSphere.center)):(Et.boundingSphere===null&&Et.computeBoundingSphere(),Se.copy(Et.boundingSphere.center)),Se.applyMatrix4(E.matrixWorld).applyMatrix4(Ue)),Array.isArray(It)){let kt=Et.groups;for(let ee=0,fe=kt.length;ee<fe;ee++){let Bt=kt[ee],de=It[Bt.materialIndex];de&&de.visible&&R.push(E,Et,de,j,Se.z,Bt,z)}}else It.visible&&R.push(E,Et,It,j,Se.z,null,z)}}}let Tt=E.children;for(let Pt=0,Et=Tt.length;Pt<Et;Pt++)xs(Tt[Pt],z,j,$)}function oa(E,z,j,$){let{opaque:Z,transmissive:Tt,transparent:Pt}=E;C.setupLightsView(j),We===!0&&it.setGlobalState(L.clippingPlanes,j),$&&bt.viewport(st.copy($)),Z.length>0&&sn(Z,z,j),Tt.length>0&&sn(Tt,z,j),Pt.length>0&&sn(Pt,z,j),bt.buffers.depth.setTest(!0),bt.buffers.depth.setMask(!0),bt.buffers.color.setMask(!0),bt.setPolygonOffset(!1)}function Ni(E,z,j,$){if((j.isScene===!0?j.overrideMaterial:null)!==null)return;if(C.state.transmissionRenderTarget[$.id]===void 0){let Bt=Zt.has("EXT_color_buffer_half_float")||Zt.has("EXT_color_buffer_float");C.state.transmissionRenderTarget[$.id]=new bi(1,1,{generateMipmaps:!0,type:Bt?qi:ci,minFilter:ks,samples:Math.max(4,oe.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:_e.workingColorSpace})}let Tt=C.state.transmissionRenderTarget[$.id],Pt=$.viewport||st;Tt.setSize(Pt.z*L.transmissionResolutionScale,Pt.w*L.transmissionResolutionScale);let Et=L.getRenderTarget(),It=L.getActiveCubeFace(),kt=L.getActiveMipmapLevel();L.setRenderTarget(Tt),L.getClearColor(tt),mt=L.getClearAlpha(),mt<1&&L.setClearColor(16777215,.5),L.clear(),nn&&B.render(j);let ee=L.toneMapping;L.toneMapping=ds;let fe=$.viewport;if($.viewport!==void 0&&($.viewport=void 0),C.setupLightsView($),We===!0&&it.setGlobalState(L.clippingPlanes,$),sn(E,j,$),$t.updateMultisampleRenderTarget(Tt),$t.updateRenderTargetMipmap(Tt),Zt.has("WEBGL_multisampled_render_to_texture")===!1){let Bt=!1;for(let de=0,tn=z.length;de<tn;de++){let Ie=z[de],{object:Le,geometry:bn,material:Ot,group:mn}=Ie;if(Ot.side===ri&&Le.layers.test($.layers)){let xe=Ot.side;Ot.side=zn,Ot.needsUpdate=!0,ln(Le,j,$,bn,Ot,mn),Ot.side=xe,Ot.needsUpdate=!0,Bt=!0}}Bt===!0&&($t.updateMultisampleRenderTarget(Tt),$t.updateRenderTargetMipmap(Tt))}L.setRenderTarget(Et,It,kt),L.setClearColor(tt,mt),fe!==void 0&&($.viewport=fe),L.toneMapping=ee}function sn(E,z,j){let $=z.isScene===!0?z.overrideMaterial:null;for(let Z=0,Tt=E.length;Z<Tt;Z++){let Pt=E[Z],{object:Et,geometry:It,group:kt}=Pt,ee=Pt.material;ee.allowOverride===!0&&$!==null&&(ee=$),Et.layers.test(j.layers)&&ln(Et,z,j,It,ee,kt)}}function ln(E,z,j,$,Z,Tt){V!==null&&Z.isNodeMaterial&&V.setObject(E,Z),E.onBeforeRender(L,z,j,$,Z,Tt),E.modelViewMatrix.multiplyMatrices(j.matrixWorldInverse,E.matrixWorld),E.normalMatrix.getNormalMatrix(E.modelViewMatrix),Z.onBeforeRender(L,z,j,$,E,Tt),Z.transparent===!0&&Z.side===ri&&Z.forceSinglePass===!1?(Z.side=zn,Z.needsUpdate=!0,L.renderBufferDirect(j,z,$,Z,E,Tt),Z.side=hr,Z.needsUpdate=!0,L.renderBufferDirect(j,z,$,Z,E,Tt),Z.side=ri):L.renderBufferDirect(j,z,$,Z,E,Tt),E.onAfterRender(L,z,j,$,Z,Tt)}function cn(E){let z=0;for(let j of E)j.texture!==null&&z++;return z}function Yi(E,z,j){z.isScene!==!0&&(z=Mn);let $=Gt.get(E),Z=C.state.lights,Tt=C.state.shadowsArray,Pt=Z.state.version,Et=ot.getParameters(E,Z.state,Tt,z,j,C.state.lightProbeGridArray),It=ot.getProgramCacheKey(Et),kt=$.programs;$.environment=E.isMeshStandardMaterial||E.isMeshLambertMaterial||E.isMeshPhongMaterial?z.environment:null,$.fog=z.fog;let ee=E.isMeshStandardMaterial||E.isMeshLambertMaterial&&!E.envMap||E.isMeshPhongMaterial&&!E.envMap;$.envMap=P.get(E.envMap||$.environment,ee),$.envMapRotation=$.environment!==null&&E.envMap===null?z.environmentRotation:E.envMapRotation,kt===void 0&&(E.addEventListener("dispose",ae),kt=new Map,$.programs=kt,$.programVariants=new Map);let fe=kt.get(It);if(fe!==void 0){if($.currentProgram===fe&&$.lightsStateVersion===Pt)return aa(E,Et),fe}else Et.uniforms=ot.getUniforms(E),V!==null&&E.isNodeMaterial&&V.build(E,j,Et),E.onBeforeCompile(Et,L),fe=ot.acquireProgram(Et,It),kt.set(It,fe),$.uniforms=Et.uniforms;let Bt=$.uniforms;return(!E.isShaderMaterial&&!E.isRawShaderMaterial||E.clipping===!0)&&(Bt.clippingPlanes=it.uniform),aa(E,Et),$.needsLights=Ws(E),$.lightsStateVersion=Pt,$.needsLights&&(Bt.ambientLightColor.value=Z.state.ambient,Bt.lightProbe.value=Z.state.probe,Bt.sunLights.value=Z.state.sun,Bt.sunLightShadows.value=Z.state.sunShadow,Bt.directionalLights.value=Z.state.directional,Bt.directionalLightShadows.value=Z.state.directionalShadow,Bt.spotLights.value=Z.state.spot,Bt.spotLightShadows.value=Z.state.spotShadow,Bt.rectAreaLights.value=Z.state.rectArea,Bt.ltc_1.value=Z.state.rectAreaLTC1,Bt.ltc_2.value=Z.state.rectAreaLTC2,Bt.pointLights.value=Z.state.point,Bt.pointLightShadows.value=Z.state.pointShadow,Bt.hemisphereLights.value=Z.state.hemi,Bt.sunShadowMatrix.value=Z.state.sunShadowMatrix,Bt.sunShadowCascade.value=Z.state.sunShadowCascade,Bt.directionalShadowMatrix.value=Z.state.directionalShadowMatrix,Bt.spotLightMatrix.value=Z.state.spotLightMatrix,Bt.spotLightMap.value=Z.state.spotLightMap,Bt.pointShadowMatrix.value=Z.state.pointShadowMatrix),$.numLightProbeGrids=cn(C.state.lightProbeGridArray),$.currentProgram=fe,$.uniformsList=null,fe}function ui(E,z,j,$,Z){let Tt=Gt.get(E),Pt=Tt.currentProgram.id+","+$+","+Z,Et=Tt.programVariants.get(Pt);return Et===void 0?(Et=Yi(E,z,j),Tt.programVariants.set(Pt,Et)):(Tt.currentProgram=Et,Tt.uniformsList=null,Tt.outputColorSpace=$,Tt.toneMapping=Z),Et}function Hs(E){if(E.uniformsList===null){let z=E.currentProgram.getUniforms();E.uniformsList=Ko.seqWithValue(z.seq,E.uniforms)}return E.uniformsList}function aa(E,z){let j=Gt.get(E);j.outputColorSpace=z.outputColorSpace,j.batching=z.batching,j.batchingColor=z.batchingColor,j.instancing=z.instancing,j.instancingColor=z.instancingColor,j.instancingMorph=z.instancingMorph,j.skinning=z.skinning,j.morphTargets=z.morphTargets,j.morphNormals=z.morphNormals,j.morphColors=z.morphColors,j.morphTargetsCount=z.morphTargetsCount,j.numClippingPlanes=z.numClippingPlanes,j.numIntersection=z.numClipIntersection,j.vertexAlphas=z.vertexAlphas,j.vertexTangents=z.vertexTangents,j.toneMapping=z.toneMapping}function la(E,z,j,$,Z){z.isScene!==!0&&(z=Mn),$t.resetTextureUnits();let Tt=z.fog,Pt=$.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial?z.environment:null,Et=ct===null?L.outputColorSpace:ct.isXRRenderTarget===!0?ct.texture.colorSpace:_e.workingColorSpace,It=$.isMeshStandardMaterial||$.isMeshLambertMaterial&&!$.envMap||$.isMeshPhongMaterial&&!$.envMap,kt=P.get($.envMap||Pt,It),ee=$.vertexColors===!0&&!!j.attributes.color&&j.attributes.color.itemSize===4,fe=!!j.attributes.tangent&&(!!$.normalMap||$.anisotropy>0),Bt=!!j.morphAttributes.position,de=!!j.morphAttributes.normal,tn=!!j.morphAttributes.color,Ie=ds;$.toneMapped&&(ct===null||ct.isXRRenderTarget===!0)&&(Ie=L.toneMapping);let Le=j.morphAttributes.position||j.morphAttributes.normal||j.morphAttributes.color,bn=Le!==void 0?Le.length:0,Ot=Gt.get($),mn=C.state.lights;if(We===!0&&(dn===!0||E!==Q)){let De=E===Q&&$.id===K;it.setState($,E,De)}let xe=!1,vs=!1;$.version===Ot.__version?Ot.needsLights&&Ot.lightsStateVersion!==mn.state.version||Z.isBatchedMesh&&Ot.batching===!1||!Z.isBatchedMesh&&Ot.batching===!0||Z.isBatchedMesh&&Ot.batchingColor===!0&&Z._colorsTexture===null||Z.isBatchedMesh&&Ot.batchingColor===!1&&Z._colorsTexture!==null||Z.isInstancedMesh&&Ot.instancing===!1||!Z.isInstancedMesh&&Ot.instancing===!0||Z.isSkinnedMesh&&Ot.skinning===!1||!Z.isSkinnedMesh&&Ot.skinning===!0||Z.isInstancedMesh&&Ot.instancingColor===!0&&Z.instanceColor===null||Z.isInstancedMesh&&Ot.instancingColor===!1&&Z.instanceColor!==null||Z.isInstancedMesh&&Ot.instancingMorph===!0&&Z.morphTexture===null||Z.isInstancedMesh&&Ot.instancingMorph===!1&&Z.morphTexture!==null||Ot.envMap!==kt||$.fog===!0&&Ot.fog!==Tt||Ot.numClippingPlanes!==void 0&&(Ot.numClippingPlanes!==it.numPlanes||Ot.numIntersection!==it.numIntersection)||Ot.vertexAlphas!==ee||Ot.vertexTangents!==fe||Ot.morphTargets!==Bt||Ot.morphNormals!==de||Ot.morphColors!==tn||Ot.morphTargetsCount!==bn||Ot.numLightProbeGrids!==cn(C.state.lightProbeGridArray)?xe=!0:(Ot.outputColorSpace!==Et||Ot.toneMapping!==Ie)&&(vs=!0):(xe=!0,Ot.__version=$.version);let gn=Ot.currentProgram;(xe===!0||vs===!0)&&(gn=vs===!0?ui($,z,Z,Et,Ie):Yi($,z,Z),V&&$.isNodeMaterial&&V.onUpdateProgram($,gn,Ot));let Jr=!1,Zi=!1,ys=!1,ce=gn.getUniforms(),rn=Ot.uniforms;if(bt.useProgram(gn.program)&&(Jr=!0,Zi=!0,ys=!0),$.id!==K&&(K=$.id,Zi=!0),Jr||Q!==E){bt.buffers.depth.getReversed()&&E.reversedDepth!==!0&&(E._reversedDepth=!0,E.updateProjectionMatrix()),ce.setValue(k,"projectionMatrix",E.projectionMatrix),ce.setValue(k,"viewMatrix",E.matrixWorldInverse);let _n=ce.map.cameraPosition;_n!==void 0&&_n.setValue(k,In.setFromMatrixPosition(E.matrixWorld)),oe.logarithmicDepthBuffer&&ce.setValue(k,"logDepthBufFC",2/(Math.log(E.far+1)/Math.LN2)),($.isMeshPhongMaterial||$.isMeshToonMaterial||$.isMeshLambertMaterial||$.isMeshBasicMaterial||$.isMeshStandardMaterial||$.isShaderMaterial)&&ce.setValue(k,"isOrthographic",E.isOrthographicCamera===!0),Q!==E&&(Q=E,Zi=!0,ys=!0)}if(Ot.needsLights&&(mn.state.sunShadowMap.length>0&&ce.setValue(k,"sunShadowMap",mn.state.sunShadowMap,$t),mn.state.directionalShadowMap.length>0&&ce.setValue(k,"directionalShadowMap",mn.state.directionalShadowMap,$t),mn.state.spotShadowMap.length>0&&ce.setValue(k,"spotShadowMap",mn.state.spotShadowMap,$t),mn.state.pointShadowMap.length>0&&ce.setValue(k,"pointShadowMap",mn.state.pointShadowMap,$t)),Z.isSkinnedMesh){ce.setOptional(k,Z,"bindMatrix"),ce.setOptional(k,Z,"bindMatrixInverse");let De=Z.skeleton;De&&(De.boneTexture===null&&De.computeBoneTexture(),ce.setValue(k,"boneTexture",De.boneTexture,$t))}Z.isBatchedMesh&&(ce.setOptional(k,Z,"batchingTexture"),ce.setValue(k,"batchingTexture",Z._matricesTexture,$t),ce.setOptional(k,Z,"batchingIdTexture"),ce.setValue(k,"batchingIdTexture",Z._indirectTexture,$t),ce.setOptional(k,Z,"batchingColorTexture"),Z._colorsTexture!==null&&ce.setValue(k,"batchingColorTexture",Z._colorsTexture,$t));let Zn=j.morphAttributes;if((Zn.position!==void 0||Zn.normal!==void 0||Zn.color!==void 0)&&rt.update(Z,j,gn),(Zi||Ot.receiveShadow!==Z.receiveShadow)&&(Ot.receiveShadow=Z.receiveShadow,ce.setValue(k,"receiveShadow",Z.receiveShadow)),($.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial)&&$.envMap===null&&z.environment!==null&&(rn.envMapIntensity.value=z.environmentIntensity),rn.dfgLUT!==void 0&&(rn.dfgLUT.value=fE()),Zi){if(ce.setValue(k,"toneMappingExposure",L.toneMappingExposure),Ot.needsLights&&Yr(rn,ys),Tt&&$.fog===!0&&_t.refreshFogUniforms(rn,Tt),_t.refreshMaterialUniforms(rn,$,Mt,At,C.state.transmissionRenderTarget[E.id]),Ot.needsLights&&Ot.numLightProbeGrids>0){let De=S,_n=0;for(let Vn of C.state.lightProbeGridArray)Vn.texture!==null&&(De.textures[_n]=Vn.texture,De.min[_n]=Vn.boundingBox.min,De.max[_n]=Vn.boundingBox.max,De.resolution[_n]=Vn.resolution,_n++);for(let Vn in De)De[Vn].length=_n;rn.probesSH.value=De.textures,rn.probesMin.value=De.min,rn.probesMax.value=De.max,rn.probesResolution.value=De.resolution}Ko.upload(k,Hs(Ot),rn,$t)}if($.isShaderMaterial&&$.uniformsNeedUpdate===!0&&(Ko.upload(k,Hs(Ot),rn,$t),$.uniformsNeedUpdate=!1),$.isSpriteMaterial&&ce.setValue(k,"center",Z.center),ce.setValue(k,"modelViewMatrix",Z.modelViewMatrix),ce.setValue(k,"normalMatrix",Z.normalMatrix),ce.setValue(k,"modelMatrix",Z.matrixWorld),$.uniformsGroups!==void 0){let De=$.uniformsGroups;for(let _n=0,Vn=De.length;_n<Vn;_n++){let Cl=De[_n];Wt.update(Cl,gn),Wt.bind(Cl,gn)}}return gn}function Yr(E,z){E.ambientLightColor.needsUpdate=z,E.lightProbe.needsUpdate=z,E.sunLights.needsUpdate=z,E.sunLightShadows.needsUpdate=z,E.directionalLights.needsUpdate=z,E.directionalLightShadows.needsUpdate=z,E.pointLights.needsUpdate=z,E.pointLightShadows.needsUpdate=z,E.spotLights.needsUpdate=z,E.spotLightShadows.needsUpdate=z,E.rectAreaLights.needsUpdate=z,E.hemisphereLights.needsUpdate=z}function Ws(E){return E.isMeshLambertMaterial||E.isMeshToonMaterial||E.isMeshPhongMaterial||E.isMeshStandardMaterial||E.isShadowMaterial||E.isShaderMaterial&&E.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return H},this.getRenderTarget=function(){return ct},this.setRenderTargetTextures=function(E,z,j){let $=Gt.get(E);$.__autoAllocateDepthBuffer=E.resolveDepthBuffer===!1,$.__autoAllocateDepthBuffer===!1&&($.__useRenderToTexture=!1),Gt.get(E.texture).__webglTexture=z,Gt.get(E.depthTexture).__webglTexture=$.__autoAllocateDepthBuffer?void 0:j,$.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(E,z){let j=Gt.get(E);j.__webglFramebuffer=z,j.__useDefaultFramebuffer=z===void 0},this.setRenderTarget=function(E,z=0,j=0){ct=E,Y=z,H=j;let $=null,Z=!1,Tt=!1;if(E){let Et=Gt.get(E);if(Et.__useDefaultFramebuffer!==void 0){bt.bindFramebuffer(k.FRAMEBUFFER,Et.__webglFramebuffer),st.copy(E.viewport),ft.copy(E.scissor),ut=E.scissorTest,bt.viewport(st),bt.scissor(ft),bt.setScissorTest(ut),K=-1;return}else if(Et.__webglFramebuffer===void 0)$t.setupRenderTarget(E);else if(Et.__hasExternalTextures)$t.rebindTextures(E,Gt.get(E.texture).__webglTexture,Gt.get(E.depthTexture).__webglTexture);else if(E.depthBuffer){let ee=E.depthTexture;if(Et.__boundDepthTexture!==ee){if(ee!==null&&Gt.has(ee)&&(E.width!==ee.image.width||E.height!==ee.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");$t.setupDepthRenderbuffer(E)}}let It=E.texture;(It.isData3DTexture||It.isDataArrayTexture||It.isCompressedArrayTexture)&&(Tt=!0);let kt=Gt.get(E).__webglFramebuffer;E.isWebGLCubeRenderTarget?(Array.isArray(kt[z])?$=kt[z][j]:$=kt[z],Z=!0):E.samples>0&&$t.useMultisampledRTT(E)===!1?$=Gt.get(E).__webglMultisampledFramebuffer:Array.isArray(kt)?$=kt[j]:$=kt,st.copy(E.viewport),ft.copy(E.scissor),ut=E.scissorTest}else st.copy(Ht).multiplyScalar(Mt).floor(),ft.copy(ue).multiplyScalar(Mt).floor(),ut=le;if(j!==0&&($=W),bt.bindFramebuffer(k.FRAMEBUFFER,$)&&bt.drawBuffers(E,$),bt.viewport(st),bt.scissor(ft),bt.setScissorTest(ut),Z){let Et=Gt.get(E.texture);k.framebufferTexture2D(k.FRAMEBUFFER,k.COLOR_ATTACHMENT0,k.TEXTURE_CUBE_MAP_POSITIVE_X+z,Et.__webglTexture,j)}else if(Tt){let Et=z;for(let It=0;It<E.textures.length;It++){let kt=Gt.get(E.textures[It]);k.framebufferTextureLayer(k.FRAMEBUFFER,k.COLOR_ATTACHMENT0+It,kt.__webglTexture,j,Et)}}else if(E!==null&&j!==0){let Et=Gt.get(E.texture);k.framebufferTexture2D(k.FRAMEBUFFER,k.COLOR_ATTACHMENT0,k.TEXTURE_2D,Et.__webglTexture,j)}K=-1};function Zr(E){let z=Gt.get(E);return(z.__readFormat!==E.format||z.__readType!==E.type)&&(z.__readFormat=E.format,z.__readType=E.type,z.__formatReadable=oe.textureFormatReadable(E.format),z.__typeReadable=oe.textureTypeReadable(E.type)),z}this.readRenderTargetPixels=function(E,z,j,$,Z,Tt,Pt,Et=0){if(!(E&&E.isWebGLRenderTarget)){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let It=Gt.get(E).__webglFramebuffer;if(E.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It){bt.bindFramebuffer(k.FRAMEBUFFER,It);try{let kt=E.textures[Et],ee=kt.format,fe=kt.type;E.textures.length>1&&k.readBuffer(k.COLOR_ATTACHMENT0+Et);let Bt=Zr(kt);if(Bt.__formatReadable===!1){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Bt.__typeReadable===!1){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}z>=0&&z<=E.width-$&&j>=0&&j<=E.height-Z&&k.readPixels(z,j,$,Z,gt.convert(ee),gt.convert(fe),Tt)}finally{let kt=ct!==null?Gt.get(ct).__webglFramebuffer:null;bt.bindFramebuffer(k.FRAMEBUFFER,kt)}}},this.readRenderTargetPixelsAsync=async function(E,z,j,$,Z,Tt,Pt,Et=0){if(!(E&&E.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let It=Gt.get(E).__webglFramebuffer;if(E.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It)if(z>=0&&z<=E.width-$&&j>=0&&j<=E.height-Z){bt.bindFramebuffer(k.FRAMEBUFFER,It);let kt=E.textures[Et],ee=kt.format,fe=kt.type;E.textures.length>1&&k.readBuffer(k.COLOR_ATTACHMENT0+Et);let Bt=Zr(kt);if(Bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let de=k.createBuffer();k.bindBuffer(k.PIXEL_PACK_BUFFER,de),k.bufferData(k.PIXEL_PACK_BUFFER,Tt.byteLength,k.STREAM_READ),k.readPixels(z,j,$,Z,gt.convert(ee),gt.convert(fe),0),k.bindBuffer(k.PIXEL_PACK_BUFFER,null);let tn=ct!==null?Gt.get(ct).__webglFramebuffer:null;bt.bindFramebuffer(k.FRAMEBUFFER,tn);let Ie=k.fenceSync(k.SYNC_GPU_COMMANDS_COMPLETE,0);return k.flush(),await W0(k,Ie,4),k.bindBuffer(k.PIXEL_PACK_BUFFER,de),k.getBufferSubData(k.PIXEL_PACK_BUFFER,0,Tt),k.bindBuffer(k.PIXEL_PACK_BUFFER,null),k.deleteBuffer(de),k.deleteSync(Ie),Tt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(E,z=null,j=0){let $=Math.pow(2,-j),Z=Math.floor(E.image.width*$),Tt=Math.floor(E.image.height*$),Pt=z!==null?z.x:0,Et=z!==null?z.y:0;$t.setTexture2D(E,0),k.copyTexSubImage2D(k.TEXTURE_2D,j,0,0,Pt,Et,Z,Tt),bt.unbindTexture()},this.copyTextureToTexture=function(E,z,j=null,$=null,Z=0,Tt=0){let Pt,Et,It,kt,ee,fe,Bt,de,tn,Ie=E.isCompressedTexture?E.mipmaps[Tt]:E.image;if(j!==null)Pt=j.max.x-j.min.x,Et=j.max.y-j.min.y,It=j.isBox3?j.max.z-j.min.z:1,kt=j.min.x,ee=j.min.y,fe=j.isBox3?j.min.z:0;else{let ce=Math.pow(2,-Z);Pt=Math.floor(Ie.width*ce),Et=Math.floor(Ie.height*ce),E.isDataArrayTexture?It=Ie.depth:E.isData3DTexture?It=Math.floor(Ie.depth*ce):It=1,kt=0,ee=0,fe=0}$!==null?(Bt=$.x,de=$.y,tn=$.z):(Bt=0,de=0,tn=0);let Le=gt.convert(z.format),bn=gt.convert(z.type),Ot;z.isData3DTexture?($t.setTexture3D(z,0),Ot=k.TEXTURE_3D):z.isDataArrayTexture||z.isCompressedArrayTexture?($t.setTexture2DArray(z,0),Ot=k.TEXTURE_2D_ARRAY):($t.setTexture2D(z,0),Ot=k.TEXTURE_2D),bt.activeTexture(k.TEXTURE0),bt.pixelStorei(k.UNPACK_FLIP_Y_WEBGL,z.flipY),bt.pixelStorei(k.UNPACK_PREMULTIPLY_ALPHA_WEBGL,z.premultiplyAlpha),bt.pixelStorei(k.UNPACK_ALIGNMENT,z.unpackAlignment);let mn=bt.getParameter(k.UNPACK_ROW_LENGTH),xe=bt.getParameter(k.UNPACK_IMAGE_HEIGHT),vs=bt.getParameter(k.UNPACK_SKIP_PIXELS),gn=bt.getParameter(k.UNPACK_SKIP_ROWS),Jr=bt.getParameter(k.UNPACK_SKIP_IMAGES);bt.pixelStorei(k.UNPACK_ROW_LENGTH,Ie.width),bt.pixelStorei(k.UNPACK_IMAGE_HEIGHT,Ie.height),bt.pixelStorei(k.UNPACK_SKIP_PIXELS,kt),bt.pixelStorei(k.UNPACK_SKIP_ROWS,ee),bt.pixelStorei(k.UNPACK_SKIP_IMAGES,fe);let Zi=E.isDataArrayTexture||E.isData3DTexture,ys=z.isDataArrayTexture||z.isData3DTexture;if(E.isDepthTexture){let ce=Gt.get(E),rn=Gt.get(z),Zn=Gt.get(ce.__renderTarget),De=Gt.get(rn.__renderTarget);bt.bindFramebuffer(k.READ_FRAMEBUFFER,Zn.__webglFramebuffer),bt.bindFramebuffer(k.DRAW_FRAMEBUFFER,De.__webglFramebuffer);for(let _n=0;_n<It;_n++)Zi&&(k.framebufferTextureLayer(k.READ_FRAMEBUFFER,k.COLOR_ATTACHMENT0,Gt.get(E).__webglTexture,Z,fe+_n),k.framebufferTextureLayer(k.DRAW_FRAMEBUFFER,k.COLOR_ATTACHMENT0,Gt.get(z).__webglTexture,Tt,tn+_n)),k.blitFramebuffer(kt,ee,kt+Pt,ee+Et,Bt,de,Bt+Pt,de+Et,k.DEPTH_BUFFER_BIT,k.NEAREST);bt.bindFramebuffer(k.READ_FRAMEBUFFER,null),bt.bindFramebuffer(k.DRAW_FRAMEBUFFER,null)}else if(Z!==0||E.isRenderTargetTexture||Gt.has(E)){let ce=Gt.get(E),rn=Gt.get(z);bt.bindFramebuffer(k.READ_FRAMEBUFFER,O),bt.bindFramebuffer(k.DRAW_FRAMEBUFFER,X);for(let Zn=0;Zn<It;Zn++)Zi?k.framebufferTextureLayer(k.READ_FRAMEBUFFER,k.COLOR_ATTACHMENT0,ce.__webglTexture,Z,fe+Zn):k.framebufferTexture2D(k.READ_FRAMEBUFFER,k.COLOR_ATTACHMENT0,k.TEXTURE_2D,ce.__webglTexture,Z),ys?k.framebufferTextureLayer(k.DRAW_FRAMEBUFFER,k.COLOR_ATTACHMENT0,rn.__webglTexture,Tt,tn+Zn):k.framebufferTexture2D(k.DRAW_FRAMEBUFFER,k.COLOR_ATTACHMENT0,k.TEXTURE_2D,rn.__webglTexture,Tt),Z!==0?k.blitFramebuffer(kt,ee,kt+Pt,ee+Et,Bt,de,Bt+Pt,de+Et,k.COLOR_BUFFER_BIT,k.NEAREST):ys?k.copyTexSubImage3D(Ot,Tt,Bt,de,tn+Zn,kt,ee,Pt,Et):k.copyTexSubImage2D(Ot,Tt,Bt,de,kt,ee,Pt,Et);bt.bindFramebuffer(k.READ_FRAMEBUFFER,null),bt.bindFramebuffer(k.DRAW_FRAMEBUFFER,null)}else ys?E.isDataTexture||E.isData3DTexture?k.texSubImage3D(Ot,Tt,Bt,de,tn,Pt,Et,It,Le,bn,Ie.data):z.isCompressedArrayTexture?k.compressedTexSubImage3D(Ot,Tt,Bt,de,tn,Pt,Et,It,Le,Ie.data):k.texSubImage3D(Ot,Tt,Bt,de,tn,Pt,Et,It,Le,bn,Ie):E.isDataTexture?k.texSubImage2D(k.TEXTURE_2D,Tt,Bt,de,Pt,Et,Le,bn,Ie.data):E.isCompressedTexture?k.compressedTexSubImage2D(k.TEXTURE_2D,Tt,Bt,de,Ie.width,Ie.height,Le,Ie.data):k.texSubImage2D(k.TEXTURE_2D,Tt,Bt,de,Pt,Et,Le,bn,Ie);bt.pixelStorei(k.UNPACK_ROW_LENGTH,mn),bt.pixelStorei(k.UNPACK_IMAGE_HEIGHT,xe),bt.pixelStorei(k.UNPACK_SKIP_PIXELS,vs),bt.pixelStorei(k.UNPACK_SKIP_ROWS,gn),bt.pixelStorei(k.UNPACK_SKIP_IMAGES,Jr),Tt===0&&z.generateMipmaps===!0&&z.mipmapsAutoUpdate===!0&&k.generateMipmap(Ot),bt.unbindTexture()},this.initRenderTarget=function(E){Gt.get(E).__webglFramebuffer===void 0&&$t.setupRenderTarget(E)},this.initTexture=function(E){E.isCubeTexture?$t.setTextureCube(E,0):E.isData3DTexture?$t.setTexture3D(E,0):E.isDataArrayTexture||E.isCompressedArrayTexture?$t.setTexture2DArray(E,0):$t.setTexture2D(E,0),bt.unbindTexture()},this.resetState=function(){Y=0,H=0,ct=null,bt.reset(),St.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Ii}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=_e._getDrawingBufferColorSpace(t),e.unpackColorSpace=_e._getUnpackColorSpace()}};var R_={type:"change"},Zd={type:"start"},I_={type:"end"},au=new Ls,P_=new Si,dE=Math.cos(70*Dd.DEG2RAD),Pn=new U,hi=2*Math.PI,Ce={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Yd=1e-6,pr=class extends ll{constructor(t,e=null){super(t,e),this.state=Ce.NONE,this.target=new U,this.cursor=new U,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:us.ROTATE,MIDDLE:us.DOLLY,RIGHT:us.PAN},this.touches={ONE:fs.ROTATE,TWO:fs.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new U,this._lastQuaternion=new qn,this._lastTargetPosition=new U,this._quat=new qn().setFromUnitVectors(t.up,new U(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new qo,this._sphericalDelta=new qo,this._scale=1,this._panOffset=new U,this._rotateStart=new Vt,this._rotateEnd=new Vt,this._rotateDelta=new Vt,this._panStart=new Vt,this._panEnd=new Vt,this._panDelta=new Vt,this._dollyStart=new Vt,this._dollyEnd=new Vt,this._dollyDelta=new Vt,this._dollyDirection=new U,this._mouse=new Vt,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=mE.bind(this),this._onPointerDown=pE.bind(this),this._onPointerUp=gE.bind(this),this._onContextMenu=bE.bind(this),this._onMouseWheel=vE.bind(this),this._onKeyDown=yE.bind(this),this._onTouchStart=SE.bind(this),this._onTouchMove=ME.bind(this),this._onMouseDown=_E.bind(this),this._onMouseMove=xE.bind(this),this._interceptControlDown=wE.bind(this),this._interceptControlUp=TE.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Ce.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(R_),this.update(),this.state=Ce.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;Pn.copy(e).sub(this.target),Pn.applyQuaternion(this._quat),this._spherical.setFromVector3(Pn),this.autoRotate&&this.state===Ce.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=hi:n>Math.PI&&(n-=hi),s<-Math.PI?s+=hi:s>Math.PI&&(s-=hi),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(Pn.setFromSpherical(this._spherical),Pn.applyQuaternion(this._quatInverse),e.copy(this.target).add(Pn),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=Pn.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new U(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new U(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=Pn.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(au.origin.copy(this.object.position),au.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(au.direction))<dE?this.object.lookAt(this.target):(P_.setFromNormalAndCoplanarPoint(this.object.up,this.target),au.intersectPlane(P_,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Yd||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Yd||this._lastTargetPosition.distanceToSquared(this.target)>Yd?(this.dispatchEvent(R_),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?hi/60*this.autoRotateSpeed*t:hi/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){Pn.setFromMatrixColumn(e,0),Pn.multiplyScalar(-t),this._panOffset.add(Pn)}_panUp(t,e){this.screenSpacePanning===!0?Pn.setFromMatrixColumn(e,1):(Pn.setFromMatrixColumn(e,0),Pn.crossVectors(this.object.up,Pn)),Pn.multiplyScalar(t),this._panOffset.add(Pn)}_pan(t,e){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;Pn.copy(s).sub(this.target);let r=Pn.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(hi*this._rotateDelta.x/e.clientHeight),this._rotateUp(hi*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(hi*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-hi*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(hi*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-hi*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(hi*this._rotateDelta.x/e.clientHeight),this._rotateUp(hi*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new Vt,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function pE(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function mE(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function gE(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(I_),this.state=Ce.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function _E(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case us.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Ce.DOLLY;break;case us.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ce.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ce.ROTATE}break;case us.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Ce.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Ce.PAN}break;default:this.state=Ce.NONE}this.state!==Ce.NONE&&this.dispatchEvent(Zd)}function xE(i){switch(this.state){case Ce.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Ce.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Ce.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function vE(i){this.enabled===!1||this.enableZoom===!1||this.state!==Ce.NONE||(i.preventDefault(),this.dispatchEvent(Zd),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(I_))}function yE(i){this.enabled!==!1&&this._handleKeyDown(i)}function SE(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case fs.ROTATE:if(this.enableRotate===!1){this.state=Ce.NONE;break}this._handleTouchStartRotate(i),this.state=Ce.TOUCH_ROTATE;break;case fs.PAN:if(this.enablePan===!1){this.state=Ce.NONE;break}this._handleTouchStartPan(i),this.state=Ce.TOUCH_PAN;break;default:this.state=Ce.NONE}break;case 2:switch(this.touches.TWO){case fs.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Ce.TOUCH_DOLLY_PAN;break;case fs.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Ce.TOUCH_DOLLY_ROTATE;break;default:this.state=Ce.NONE}break;default:this.state=Ce.NONE}this.state!==Ce.NONE&&this.dispatchEvent(Zd)}function ME(i){switch(this._trackPointer(i),this.state){case Ce.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Ce.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Ce.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Ce.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Ce.NONE}}function bE(i){this.enabled!==!1&&i.preventDefault()}function wE(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function TE(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var EE=-53,L_=27,AE=4,D_=24,F_=60,CE=6e3;function Jd(i,t,e,n){let s=n.getSize(new U).length(),o=[t.a,t.b].map(h=>new en().setFromPoints(k_(i,h))).filter(h=>!h.isEmpty()),a=o.map(h=>h.getSize(new U).length()),l=Math.min(...a,s),c=e??o[a.indexOf(l)]?.getCenter(new U)??n.getCenter(new U);return z_(c,Math.min(Math.max(.65*l,.05*s),.3*s))}function B_(i,t){let e=new en().setFromPoints(k_(i,t));return e.isEmpty()?null:z_(e.getCenter(new U),.6*e.getSize(new U).length())}function k_(i,t){return i.list.filter(({body:n})=>n.name===t||n.name.startsWith(`${t}/`)).flatMap(n=>i.corners(n,F_))}function z_(i,t){let e=[-t,t];return e.flatMap(n=>e.flatMap(s=>e.map(r=>i.clone().add(new U(n,s,r).multiplyScalar(.7)))))}function V_(i){let t=O_(i,i.times[0],o=>o.n<2),e=new en().setFromPoints(t),n=new en;for(let o of RE(i))for(let a of O_(i,o,l=>l.n>1))n.expandByPoint(a),t.push(a);if(e.union(n),t.length===0)return{box:new en(new U(-1,-1,-1),new U(1,1,1)),points:[new U]};let s=n.isEmpty()?1/0:n.getSize(new U).length();if(e.getSize(new U).length()<2.2*s)return{box:N_(e),points:t};let r=n.expandByScalar(.4*s);return{box:N_(e.intersect(r)),points:t.map(o=>r.clampPoint(o,o))}}function N_(i){return i.expandByScalar(Math.max(.001*i.getSize(new U).length(),1e-6))}function RE({times:i}){let t=i.length-1,e=Array.from({length:D_},(n,s)=>Math.round(s*t/(D_-1)));return[...new Set(e)].map(n=>i[n])}function O_(i,t,e){i.place(t);let n=Math.max(Math.min(F_,Math.floor(CE/i.list.length)),4);return i.list.filter(({body:s})=>e(s)).flatMap(s=>i.corners(s,n))}function G_(i,t,e){let n=t.getSize(new U).length(),s=i.list.filter(({body:c,isShown:h})=>c.n>1&&h).slice(0,8),r=new Br,o=(c,h)=>(r.set(c.clone().addScaledVector(h,2*n),h.clone().negate()),i.hit(r)),a=(c,h)=>{let f=c.geometry.boundingSphere.center.clone().applyMatrix4(c.matrix);return o(f,h)?.entry===c},l={score:-1/0};for(let c of[L_,48])for(let h of[0,30,-30,60,-60,95,-95,130,-130,180]){let f=Qo(EE+h,c),u=Math.abs(h)/240+(c-L_)/90;if(3-u<=l.score)continue;let d=e&&o(e,f),m=!d||d.distance>(2-.025)*n?1:0,_=s.filter(g=>a(g,f)).length/(s.length||1),p=2*m+_-u;p>l.score&&(l={score:p,view:f})}return l.view}function Qo(i,t){let[e,n]=[i,t].map(s=>s*Math.PI/180);return new U(Math.cos(e)*Math.cos(n),Math.sin(e)*Math.cos(n),Math.sin(n))}function U_(i){let[t,e]=i.reduce(([n,s],r)=>[Math.min(n,r),Math.max(s,r)],[1/0,-1/0]);return(t+e)/2}function mr(i,t,e,n,s=new en().setFromPoints(e)){let r=new U().crossVectors(i.up,n).normalize(),o=new U().crossVectors(n,r),a=[r,o,n],l=e.map(m=>a.map(_=>m.dot(_))),c=a.map((m,_)=>U_(l.map(p=>p[_]))),h=Math.tan(i.fov*Math.PI/360),f=h*i.aspect,u=.001;for(let m=0;m<AE;m++){u=.001;for(let[_,p,g]of l){let v=g-c[2],A=Math.max(Math.abs(_-c[0])/f,Math.abs(p-c[1])/h);u=Math.max(u,v+A)}u*=1.08;for(let _ of[0,1])c[_]+=u*U_(l.map(p=>(p[_]-c[_])/(u-p[2]+c[2])))}t.target.set(0,0,0),a.forEach((m,_)=>t.target.addScaledVector(m,c[_])),i.position.copy(t.target).addScaledVector(n,u);let d=Math.max(u,s.getSize(new U).length());i.near=u/200,i.far=d*30,i.updateProjectionMatrix(),t.minDistance=u/100,t.maxDistance=d*6,t.update()}var PE=[{name:"x",direction:[1,0,0],colour:"#cf4b42"},{name:"y",direction:[0,1,0],colour:"#4c9a52"},{name:"z",direction:[0,0,1],colour:"#3f75d0"}],lu=84,gr=class{constructor(){this.scene=new Xi,this.camera=new un(40,1,.1,10),this.camera.up.set(0,0,1);for(let t of PE)this.scene.add(IE(t))}draw(t,e,n){let s=e.position.clone().sub(n).normalize().multiplyScalar(4.4);this.camera.position.copy(s),this.camera.lookAt(0,0,0),t.autoClear=!1,t.setScissorTest(!0),t.setScissor(4,4,lu,lu),t.setViewport(4,4,lu,lu),t.clearDepth(),t.render(this.scene,this.camera),t.setScissorTest(!1),t.autoClear=!0}};function IE({name:i,direction:t,colour:e}){let n=new He,s=new An({color:e}),r=new Me(new or(.035,.035,.85,8),s),o=new Me(new Nr(.1,.26,12),s);r.position.y=.42,o.position.y=.95,n.add(r,o),n.quaternion.setFromUnitVectors(new U(0,1,0),new U(...t));let a=new qa(new Ho({map:LE(i,e),depthTest:!1}));return a.position.set(0,1.32,0),a.scale.setScalar(.5),n.add(a),n}function LE(i,t){let e=document.createElement("canvas");e.width=e.height=64;let n=e.getContext("2d");n.fillStyle=t,n.font="600 48px system-ui, sans-serif",n.textAlign="center",n.textBaseline="middle",n.fillText(i,32,30);let s=new Dr(e);return s.colorSpace=kn,s}var jd=400,DE=58,NE=new U(.52,-.74,.42).normalize(),H_=new Float32Array(Array.from({length:256},(i,t)=>X_(Dl(t/255))).flat()),OE=X_(qp);function X_(i){return new zt().setRGB(...i,kn).toArray()}var cu=class{#t=!1;constructor(t,e,n,s,r,o,a){Object.assign(this,{canvas:t,label:e,motion:n,events:s,names:o,onDraw:a,flat:n.d===2}),this.renderer=new dr({canvas:t,antialias:!0,alpha:!0,preserveDrawingBuffer:!0}),this.renderer.info.autoReset=!1,this.scene=new Xi,this.walled=!!r,this.box=r??GE(n),this.camera=this.flat?new Fr(-1,1,1,-1,.1,10):new un(34,1,.01,100),this.camera.up.set(0,this.flat?1:0,this.flat?0:1),this.controls=new pr(this.camera,t),this.flat&&(Object.assign(this.controls,{enableRotate:!1,screenSpacePanning:!0,zoomToCursor:!0}),this.controls.mouseButtons.LEFT=us.PAN,this.controls.touches.ONE=fs.PAN),this.controls.addEventListener("change",()=>this.invalidate()),this.glow=new Float32Array(n.n),this.flash=UE(n,s),this.#e(),this.gizmo=this.flat?null:new gr,this.dark=matchMedia("(prefers-color-scheme: dark)"),this.dark.addEventListener("change",()=>(this.#i(),this.invalidate())),this.#i(),new ResizeObserver(()=>this.#f()).observe(t.parentElement),t.addEventListener("pointermove",l=>l.buttons===0&&this.#a(l)),t.addEventListener("pointerleave",()=>this.label.hidden=!0),t.addEventListener("webglcontextrestored",()=>this.invalidate()),this.#f(),this.reset()}#e(){let{n:t}=this.motion,[e,n]=this.flat?[new tl(1,40),new il(.94,1,48)]:[W_(t),W_(t)],s=this.flat?new An:new Fs;this.balls=new Ds(e,s,Math.max(t,1)),this.bounds=new Ds(n,this.flat?BE():kE(),Math.max(t,1)),this.chosen=new Ds(e,new An({side:this.flat?2:zn}),2);for(let f of[this.balls,this.bounds,this.chosen])f.frustumCulled=!1,f.instanceMatrix.array.fill(0),this.scene.add(f);this.balls.count=this.bounds.count=t,this.balls.setColorAt(0,new zt),[this.balls.renderOrder,this.bounds.renderOrder]=[1,2],this.marks=zE(this.flat?4:6),this.scene.add(this.marks);let[r,o]=this.#n(),a=o.clone().sub(r),l=new el(new rr(a.x,a.y,this.flat?1e-6:a.z));this.frame=new si(l,new fn({transparent:!0})),this.frame.position.copy(r).add(o).divideScalar(2);let c=new Bs("#ffffff",1.9);c.position.set(.35,-.6,1);let h=new Bs("#dfe8ff",.5);h.position.set(-1,.8,.2),this.scene.add(this.frame,c,h,new Ur("#ffffff","#8d93a0",1.5))}#n(){return this.box.map(t=>new U(t[0],t[1],this.flat?0:t[2]))}#i(){this.frame.material.color.set(this.dark.matches?"#9aa9bc":"#5b6a7d"),this.frame.material.opacity=this.walled?.6:.2,this.chosen.material.color.set(this.dark.matches?"#ffffff":"#10161d")}reset(){let[t,e]=this.#n();if(this.flat){let n=t.clone().add(e).divideScalar(2);this.controls.target.copy(n),this.camera.position.set(n.x,n.y,1),this.camera.zoom=1,this.#s(),this.controls.update()}else{let n=Array.from({length:8},(r,o)=>new U(...["x","y","z"].map((a,l)=>(o>>l&1?e:t)[a])));mr(this.camera,this.controls,n,NE);let s=this.camera.position.distanceTo(this.controls.target);Object.assign(this.camera,{near:s/4e3,far:12*s}),this.camera.updateProjectionMatrix()}this.invalidate()}#s(){let[t,e]=this.#n(),[n,s]=[1.04*(e.x-t.x),1.04*(e.y-t.y)],{aspect:r}=this,o=Math.min(DE/this.size.height,.3),a=Math.max(s/(1-o),n/r),l=-.5*(a*(1-o));Object.assign(this.camera,{left:-.5*a*r,right:.5*a*r,bottom:l,top:l+a}),this.camera.near=.01,this.camera.far=10,this.camera.updateProjectionMatrix()}show({time:t,speed:e,bounds:n,colour:s,pair:r,flashes:o}){let{motion:a,events:l}=this,c=a.place(t,n),h=this.flash*Math.max(e,.02),f=l.glow(t,h,this.glow);o||this.glow.fill(0),this.#l(s),this.bounds.visible=!!(n&&a.boundNumbers),this.bounds.visible&&Kd(this.bounds,a.n,a.boundX,d=>a.isThere[d]?a.boundRadius[d]:0,this.flat?.5:0),this.#c(o?l.recent(t,h,jd):[]),this.#o(r),this.invalidate();let u=this.glow.reduce((d,m)=>d+(m>0),0);return{frame:c,overlapping:f,glowing:u,growth:this.bounds.visible?FE(a):null}}#l(t){let{motion:e,glow:n}=this;Kd(this.balls,e.n,e.x,o=>e.isThere[o]?e.radii[o]:0,this.flat?.3:0);let s=this.balls.instanceColor.array,r=this.placeOf(t);for(let o=0;o<e.n;o++){let a=3*Math.min(Math.max(Math.round(255*r(o)),0),255),l=n[o]>0?.25+.75*n[o]:0;for(let c=0;c<3;c++)s[3*o+c]=H_[a+c]+l*(OE[c]-H_[a+c])}this.balls.instanceColor.needsUpdate=!0}placeOf(t){let{motion:e}=this;if(t==="speed")return r=>e.speed[r]/(e.topSpeed||1);let[n,s]=Qd(e);return r=>s>n?(e.radii[r]-n)/(s-n):.3}#c(t){let{position:e,color:n}=this.marks.geometry.attributes;t.forEach(({k:s,fresh:r},o)=>{for(let a=0;a<3;a++)e.array[3*o+a]=a<this.motion.d?this.events.position[s*this.motion.d+a]:.6;n.array.set([1,.95,.9,r],4*o)}),e.needsUpdate=n.needsUpdate=!0,this.marks.geometry.setDrawRange(0,t.length),this.marks.visible=t.length>0}#o(t){let e=(t??[]).filter(s=>s>=0&&this.motion.isThere[s]),n=new Float32Array(e.flatMap(s=>Array.from(this.motion.x.slice(3*s,3*s+3))));Kd(this.chosen,e.length,n,s=>this.motion.radii[e[s]]*1.07+this.#h(1.5),this.flat?.2:0),this.chosen.count=e.length,this.chosen.visible=e.length>0}#h(t){if(this.flat)return t*(this.camera.top-this.camera.bottom)/this.camera.zoom/this.size.height;let e=this.camera.position.distanceTo(this.controls.target);return t*2*e*Math.tan(this.camera.fov*Math.PI/360)/this.size.height}invalidate(){this.#t||(this.#t=!0,requestAnimationFrame(()=>this.#u()))}#u(){this.#t=!1;let{width:t,height:e}=this.size;this.renderer.info.reset(),this.renderer.setViewport(0,0,t,e),this.renderer.render(this.scene,this.camera);let{triangles:n}=this.renderer.info.render;this.gizmo?.draw(this.renderer,this.camera,this.controls.target),this.onDraw(n)}#a(t){let e=this.canvas.getBoundingClientRect(),[n,s]=[t.clientX-e.left,t.clientY-e.top],r=this.#r(2*n/e.width-1,1-2*s/e.height);if(this.label.hidden=r<0,r<0)return;let{radii:o,speed:a}=this.motion,l=c=>Number(c.toPrecision(3));this.label.textContent=`${this.names[r]}: radius ${l(o[r])} m, ${l(a[r])} m/s`,this.label.style.transform=`translate(${Math.max(Math.min(n+14,e.width-210),0)}px, ${s+14}px)`}#r(t,e){let{n,radii:s,isThere:r}=this.motion,o=new U(t,e,-1).unproject(this.camera),a=new U(t,e,1).unproject(this.camera).sub(o).normalize(),l={row:-1,far:1/0};for(let c=0;c<n;c++){if(!r[c])continue;let h=[0,1,2].map(m=>this.motion.x[3*c+m]-o.getComponent(m)),f=h[0]*a.x+h[1]*a.y+h[2]*a.z,u=h[0]**2+h[1]**2+h[2]**2-f**2;if(u>s[c]**2)continue;let d=f-Math.sqrt(s[c]**2-u);d<l.far&&(d>0||this.flat)&&(l={row:c,far:d})}return l.row}#f(){let{clientWidth:t,clientHeight:e}=this.canvas.parentElement;this.size={width:Math.max(t,1),height:Math.max(e,1)},this.aspect=this.size.width/this.size.height,this.renderer.setPixelRatio(Math.min(devicePixelRatio,2)),this.renderer.setSize(this.size.width,this.size.height,!1),this.flat?this.#s():(this.camera.aspect=this.aspect,this.camera.updateProjectionMatrix()),this.invalidate()}};function UE({n:i,t0:t,t1:e},{all:n}){let s=2*n/Math.max(i*(e-t),1e-9);return Math.min(Math.max(.12/Math.max(s,1e-9),.04),.2)}function FE({n:i,isThere:t,radii:e,boundRadius:n}){let[s,r]=[0,0];for(let o=0;o<i;o++)s+=t[o]?n[o]-e[o]:0,r+=t[o];return Math.max(s/(r||1),0)}function Qd(i){return i.radii.reduce(([t,e],n)=>[Math.min(t,n),Math.max(e,n)],[1/0,0])}function Kd(i,t,e,n,s){let r=i.instanceMatrix.array;for(let o=0;o<t;o++){let a=n(o);r[16*o]=r[16*o+5]=r[16*o+10]=a,r[16*o+12]=e[3*o],r[16*o+13]=e[3*o+1],r[16*o+14]=s>0?s+1e-4*(o%1e3):e[3*o+2],r[16*o+15]=1}i.instanceMatrix.needsUpdate=!0}function W_(i){let t=i<=1500?26:i<=6e3?20:i<=2e4?14:9;return new hs(1,t,Math.max(Math.round(.7*t),5))}function BE(){return new An({transparent:!0,depthWrite:!1,color:"#6f94e0",opacity:.9})}function kE(){return new Li({transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-1,polygonOffsetUnits:-4,uniforms:{tone:{value:new zt("#6f94e0")}},vertexShader:`varying vec3 normalSeen, towards;
      void main() {
        vec4 place = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
        normalSeen = mat3(modelViewMatrix) * normal;
        towards = -place.xyz;
        gl_Position = projectionMatrix * place;
      }`,fragmentShader:`uniform vec3 tone;
      varying vec3 normalSeen, towards;
      void main() {
        float edge = 1.0 - abs(dot(normalize(normalSeen), normalize(towards)));
        gl_FragColor = vec4(tone, mix(0.05, 0.8, edge * edge * edge));
        #include <colorspace_fragment>
      }`})}function zE(i){let t=new me;t.setAttribute("position",new Be(new Float32Array(3*jd),3)),t.setAttribute("color",new Be(new Float32Array(4*jd),4));let e=new Wo({size:i,sizeAttenuation:!1,vertexColors:!0,transparent:!0,depthTest:!1,depthWrite:!1,map:VE()}),n=new Ja(t,e);return n.frustumCulled=!1,n.renderOrder=3,n}function VE(){let i=document.createElement("canvas");i.width=i.height=32;let t=i.getContext("2d");return t.fillStyle="#fff",t.arc(16,16,14,0,7),t.fill(),new Dr(i)}function GE(i){let{d:t,radii:e,n}=i,[s,r]=[new Array(t).fill(1/0),new Array(t).fill(-1/0)];for(let o=0;o<=40;o++){i.place(i.t0+(i.t1-i.t0)*o/40);for(let a=0;a<n;a++)if(i.isThere[a])for(let l=0;l<t;l++)s[l]=Math.min(s[l],i.x[3*a+l]-e[a]),r[l]=Math.max(r[l],i.x[3*a+l]+e[a])}return Number.isFinite(s[0])?[s,r]:[new Array(t).fill(-1),new Array(t).fill(1)]}var HE=["M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6","M12 3a9 9 0 0 1 5.8 2.1","M21 12a9 9 0 0 1-2.1 5.8","M12 21a9 9 0 0 1-5.8-2.1","M3 12a9 9 0 0 1 2.1-5.8"],WE=["M13 3L5 13.5h6L10.5 21L19 10.5h-6z"],XE={impacts:{plot:"Contacts",red:"has just touched another"},passing:{plot:"Overlaps that begin",red:"overlaps another"},observed:{plot:"Contacts that become possible",red:"may touch another"}};async function q_(){let i=document.getElementById("keepclear"),t,e,n;try{t=await qE(),[e,n]=[new Ul(t),new Ol(t)]}catch(h){i.append(b("p",{class:"failure",role:"alert"},`The rest of this page cannot be shown: this browser is too old, or the file is damaged (${h.message}).`));return}let s=new es({time:n.n>0?Math.min(Math.max(n.time[0],e.t0),e.t1):e.t0,playing:!1,speed:1,bounds:t.show_bounds,colour:"size",flashes:!0,pair:n.n>0?[n.rowI[0],n.rowJ[0]]:null});Jt(i),$E(i,t);let[r,o]=[b("div",{class:"left"}),b("section",{class:"card side","aria-label":"Events"})],[a,l]=[b("section",{class:"card motion","aria-label":"Motion"}),b("section",{class:"card clearances","aria-label":t.words.plot})];r.append(a,l),i.append(b("main",{},r,o));let c=YE(a,t,e,n,s);Ll(a,s,{span:()=>e,marks:()=>[],frames:()=>e.times}),wg(l,t,s),Yp(o,t,n,s),KE(i,t,e),jE(s,c),QE(s,e,n,c),document.body.dataset.ready="true"}async function qE(){let{payload:i,array:t}=await pa();for(let n of["ids","radii","times"])i[n]=t(i[n]);i.names??=Array.from(i.ids,String),i.positions=i.positions.map(t),i.present&&(i.present=t(i.present)),i.bounds&&(i.bounds.numbers=i.bounds.numbers.map(t));for(let n of["time","i","j","kind","position"])i.events[n]=t(i.events[n]);for(let n of["contacts","walls"])i.curve[n]=t(i.curve[n]);let e=i.dimensions===2?"disc":"sphere";return i.words={noun:e,members:`of ${e}s with each other`,walls:"with walls",...XE[i.mode]},i}function $E(i,{title:t,sentence:e,facts:n}){i.append(b("header",{class:"verdict crowd",role:"banner"},b("div",{class:"words"},b("h1",{},t),b("p",{class:"sentence"},e)),n.length>0&&b("dl",{class:"facts"},n.slice(0,6).map(([s,r])=>b("div",{},b("dt",{},s),b("dd",{},r))))))}function YE(i,t,e,n,s){let r=b("canvas",{class:"canvas",tabindex:0,"aria-label":`The ${t.words.noun}s in motion; drag to ${e.d===2?"move":"turn"} the view, scroll to zoom`}),o=b("span",{class:"label name",hidden:!0}),a=b("div",{class:"stage"},r,o);i.append(a);let l;try{l=new cu(r,o,e,n,t.box,t.names,c=>document.body.dataset.drawnTriangles=c)}catch{return a.classList.add("missing"),a.append(b("p",{class:"empty",role:"note"},"WebGL is not available in this browser, so the crowd is not drawn. Everything else on this page works.")),null}return a.append(ZE(l,t,s)),i.append(JE(t,e,s)),l}function ZE(i,t,e){let n=(r,o,a)=>{let l=b("button",{type:"button",title:o,"aria-label":o,"aria-pressed":String(e.values[r]),"data-toggle":r,click:()=>e.set({[r]:!e.values[r]})},vn(...a));return e.listen((c,h)=>{h.has(r)&&l.setAttribute("aria-pressed",String(c[r]))}),l},s=b("select",{"aria-label":"Colour",title:"Colour (c)",change:()=>e.set({colour:s.value})},b("option",{value:"size"},"by size"),b("option",{value:"speed"},"by speed"));return e.listen(r=>s.value=r.colour),b("div",{class:"tools",role:"toolbar","aria-label":"View"},s,b("button",{type:"button",title:"Show all (a)","aria-label":"Show all",click:()=>i.reset()},vn(...ze.home)),n("flashes","Contacts (f)",WE),t.bounds&&n("bounds","Time-varying bounds (b)",HE))}function JE(i,t,e){let n=b("i",{class:"ramp"});n.style.background=Nl();let[s,r]=[b("span",{}),b("span",{})],o=h=>Number(h.toPrecision(3)).toLocaleString("en"),a=b("span",{class:"bounds"},b("i",{class:"bound"}),b("span",{class:"growth"})),l=b("span",{},b("i",{class:"hit"}),i.words.red),c=({colour:h,bounds:f,flashes:u})=>{let[d,m]=h==="speed"?[0,t.topSpeed]:Qd(t),[_,p]=h==="speed"?["speed","m/s and more"]:["radius","m"],g=!(m>d);Jt(s,g?`${_} ${o(m)} m`:`${_} ${o(d)}`),Jt(r,g?"":`${o(m)} ${p}`),n.hidden=g,a.hidden=!f,l.hidden=!u};return c(e.values),e.listen(c),b("p",{class:"legend colours"},b("span",{},s,n,r),l,a,t.present&&b("span",{class:"note"},"some come and go"))}function KE(i,t,e){let n=Number(t.rate.toPrecision(3)),s=[`${t.times.length.toLocaleString("en")} frames, ${n} a second; between frames members are drawn on straight lines, so that a bounce may appear up to ${1/n<.1?"a few hundredths of a second":"a frame"} early or late.`,"Times of events are exact; they do not depend on frames.",t.shapes>0&&`${t.shapes.toLocaleString("en")} of them have a shape inside. Their spheres are drawn; contacts are those of the shapes.`,t.bounds?"A bound holds every position that a member can have reached since its last observation, given its greatest acceleration. It grows until the next observation.":"Bounds were not recorded.",t.events.all>t.events.time.length&&`The list has the first ${t.events.time.length.toLocaleString("en")} of ${t.events.all.toLocaleString("en")} events; the plot has all of them.`,"Keys: space plays and pauses, arrows step, Home and End, b bounds, f contacts, c colour, a shows all."],r=t.statistics.map(([o,a,l])=>b("tr",{},b("th",{scope:"row"},o),b("td",{},a.toLocaleString("en")),b("td",{},l===null?"":Math.round(l).toLocaleString("en"))));i.append(b("div",{class:"details"},b("details",{open:!0},b("summary",{},"About this page"),b("ul",{},s.filter(Boolean).map(o=>b("li",{},o)))),b("details",{class:"numbers"},b("summary",{},"Events by kind, and effort"),b("table",{},b("tr",{},["","number","per second"].map(o=>b("th",{scope:"col"},o))),r)),t.facts.length>6&&b("details",{},b("summary",{},"More"),b("dl",{class:"rows"},t.facts.slice(6).map(([o,a])=>b("div",{},b("dt",{},o),b("dd",{},a))))),e.n===0&&b("p",{class:"empty"},"The crowd has no members.")))}function jE(i,t){let e={b:()=>i.set({bounds:!i.values.bounds}),c:()=>i.set({colour:i.values.colour==="size"?"speed":"size"}),f:()=>i.set({flashes:!i.values.flashes}),a:()=>t?.reset(),Escape:()=>i.set({pair:null})};document.addEventListener("keydown",n=>{n.target.matches?.("input:not([type=range]), select, textarea")||n.ctrlKey||n.metaKey||n.altKey||e[n.key]?.()})}function QE(i,t,e,n){let s=document.querySelector(".growth"),r=o=>{let a=n?.show(o)??{frame:t.frameAt(o.time),overlapping:"",glowing:""};s&&a.growth!=null&&Jt(s,`bounds, ${Ne(a.growth)} larger than their members on average`),Object.assign(document.body.dataset,{time:o.time.toFixed(6),frame:a.frame,playing:o.playing,bounds:o.bounds,colour:o.colour,events:e.countUntil(o.time),overlapping:a.overlapping,glowing:a.glowing,chosen:(o.pair??[]).join(" ")})};r(i.values),i.listen(r)}function Y_(i){let t=[["Made by",`keepclear ${i.version}${i.sources?`, sources ${i.sources}`:""}`],["Date",tp(i.date)],["Platform",i.platform],["Command",$_(i.command)],["Settings",tA(i.settings)],["Make again",$_("keepclear reproduce REPORT.json"),"where REPORT.json is the report as JSON (--json)"]].filter(([,e])=>e);return b("div",{},b("dl",{class:"rows"},t.map(([e,n,s])=>b("div",{},b("dt",{},e),b("dd",{},n,s&&b("span",{class:"note"},` ${s}`))))),b("h3",{},"Input files",b("span",{class:"count"},String(i.inputs.length))),b("div",{class:"groups"},eA(i.inputs)))}function tp(i){return i.replace("T"," ").replace(/Z$/," UTC")}function $_(i){return i&&b("code",{},i)}function tA(i){return Object.entries(i).filter(([,e])=>e!=null).map(([e,n])=>`${e.replaceAll("_"," ")}: ${typeof n=="boolean"?n?"yes":"no":n}`).join(", ")}function eA(i){return b("table",{class:"inputs"},b("thead",{},b("tr",{},["File","Bytes","SHA-256"].map(t=>b("th",{scope:"col"},t)))),b("tbody",{},i.map(({path:t,size:e,sha256:n})=>b("tr",{},b("td",{},t),b("td",{class:"size"},Ms(e)),b("td",{},b("code",{},n))))))}var ep=12,nA=/^(pairs|evaluations|proved by .*)$/,iA={"at rest and apart":"Fixed pairs"},sA={"at rest and apart":"neither moves relative to the other, and they do not touch"};function Z_(i,t,e){let n=b("section",{class:"details","aria-label":"What this depends on"});i.append(n);let s=({program:o})=>{let a=t.evidence&&J_("evidence","Evidence",null,Y_(t.evidence),!1);Jt(n,np(t.programs[o],t),a)};s(e.values),e.listen((o,a)=>a.has("program")&&s(o));let r=()=>{let o=document.getElementById(location.hash.slice(1));o instanceof HTMLDetailsElement&&(o.open=!0)};window.addEventListener("hashchange",r),document.addEventListener("click",o=>{let a=o.target.closest?.("a[href^='#']")?.getAttribute("href").slice(1),l=a&&document.getElementById(a);l instanceof HTMLDetailsElement&&(l.open=!0)}),window.addEventListener("beforeprint",()=>n.querySelectorAll("details").forEach(o=>o.open=!0))}function np(i,t,e=!1){let{report:n}=i,s=[...n.warnings,...i.scene?.notes??[]],r=oA(n);return[["warnings","Warnings",s.length,rA(s),s.length>0,"There are no warnings."],["assumptions","Assumptions",r.length,aA(r),!1,"There are no assumptions."],["unchecked","Not checked",n.unchecked.length,cA(n,t.reasons),!1,"All pairs were checked during the whole interval."],["method","How it was checked",null,uA(i,t),!1]].map(([a,l,c,h,f,u])=>J_(e?null:a,l,c,h,f||e,u,a))}function J_(i,t,e,n,s,r="",o=i){let a=e===0;return b("details",{id:i,open:s,class:a?`${o} none`:o},b("summary",{},t,e!=null&&b("span",{class:"count"},String(e))),a?b("p",{class:"empty"},r):n)}function rA(i){return b("ul",{},i.map(t=>b("li",{},t)))}function oA(i){let t=new Map;for(let{kind:e,subject:n,text:s}of i.assumptions){let r=`${e}
${s}`;t.has(r)||t.set(r,{kind:e,text:s,subjects:[]}),t.get(r).subjects.push(n)}return[...t.values()]}function aA(i){return b("dl",{},i.map(({kind:t,text:e,subjects:n})=>b("div",{},b("dt",{},b("span",{class:"kind"},t),lA(n)),b("dd",{},e))))}function lA(i){let t=i.slice(0,ep).join(", ");return i.length<=ep?t:b("span",{title:i.join(", ")},`${t} and ${Ms(i.length-ep)} more`)}function cA(i,t){let e=new Map;for(let n of i.unchecked)e.has(n.reason)||e.set(n.reason,[]),e.get(n.reason).push(n);return b("div",{class:"groups"},[...e].map(([n,s])=>b("div",{},b("h3",{},t[n]??n,b("span",{class:"count"},String(s.length))),b("ul",{},s.map(r=>b("li",{},`${r.a} \u2013 ${r.b}`,hA(r)))))))}function hA({detail:i,touching:t,t_from:e,t_to:n}){let s=[e!=null&&`from ${Oe(e)}`,n!=null&&`until ${Oe(n)}`].filter(Boolean).join(" "),r=t==null||/touch|apart/.test(i)?"":t?"touching":"apart",o=[s,i,r].filter(Boolean);return o.length>0&&b("span",{class:"note"},o.join(", "))}function uA({report:i,scene:t},e){let n=i.pairs.reduce((o,a)=>o+a.evaluations,0),s=new Map;for(let o of i.pairs)o.proof&&s.set(o.proof,(s.get(o.proof)??0)+1);let r=[i.t1>i.t0?["Interval",`${Oe(i.t0)} to ${Oe(i.t1)}`]:["Instant",Oe(i.t0)],["Tolerance",`${Ne(i.tolerance)}: a pair that keeps its margin by less than this may be reported either way`],i.t1>i.t0?["CLEAR","proved for every instant of the interval, rounding included"]:["CLEAR","proved for this instant, rounding included"],s.size>0&&["Proved by",[...s].map(([o,a])=>`${o} (${Gn(a,"pair")})`).join(", ")],["Distance queries",Ms(n)],...Object.entries(i.statistics).filter(([o])=>!nA.test(o)).map(([o,a])=>[iA[o]??fA(o),[K_(a),sA[o]].filter(Boolean).join(": ")]),["Format",i.format]].filter(Boolean);return b("div",{},b("dl",{class:"rows"},r.map(([o,a])=>b("div",{},b("dt",{},o),b("dd",{},a)))),t&&b("p",{class:"note"},dA(t,e)))}function fA(i){let t=i.replaceAll("_"," ");return t.charAt(0).toUpperCase()+t.slice(1)}function K_(i){return i===null||typeof i!="object"?Number.isInteger(i)?Ms(i):String(i):Object.entries(i).map(([t,e])=>`${t}: ${K_(e)}`).join(", ")}function dA(i,t){let n=[...new Set(i.bodies.map(o=>o.shape))].filter(o=>t.shapes[o].triangles.length/3<t.shapes[o].whole),s=i.times.length>1?`The 3D view shows ${Gn(i.times.length,"instant")} and interpolates between them; the check covers all times.`:"";if(n.length===0)return s;let r=i.bodies.filter(o=>n.includes(o.shape)).map(o=>o.name);return`${s} Shown simplified (the check used every triangle): ${[...new Set(r)].join(", ")}.`.trim()}var Gs={contact:{one:"contact",many:"contacts",title:"Contacts"},"too close":{one:"too close",many:"too close",title:"Too close"},undecided:{one:"undecided",many:"undecided",title:"Undecided"},clear:{one:"clear",many:"clear",title:"Clear"}},j_=" or in contact";function Q_({pairs:i,far:t}){return Object.entries(Gs).map(([e,{one:n,many:s}])=>{let r=i.filter(l=>l.event===e),o=r.length+(e==="clear"?t?.count??0:0),a=r.some(l=>l.is_open)?j_:"";return o>0&&`${Ms(o)} ${o===1?n:s}${a}`}).filter(Boolean).join(", ")||"none"}function Ml(i,t,{isShort:e=!1}={}){let n=zi(i,t);if(n.length===0||!n.every(l=>l.known)||t.t1<=t.t0)return"";let s=n.reduce((l,{from:c,to:h})=>l+(h-c),0),r=i.left!=null,o=r||n.some(l=>l.lasts);if(e){let l=n.length>1?`, ${r?"\u2265 ":""}${n.length}\xD7`:"";return`${o?"\u2265 ":""}${da(s)}${l}`}let a=n.length>1?`, ${Gn(n.length,"time")}${r?" or more":""}`:"";return`${o?"at least ":""}${da(s)}${a}`}function ta({event:i,least:t},e){return i!=="too close"?e.margin>0?`within ${Ne(e.margin)}, then contact`:Gs.contact.one:`${Gs[i].one}${e.is_open?j_:""} (${[t,`margin ${Ne(e.margin)}`].filter(Boolean).join(", ")})`}function Xr(i,t,{isShort:e=!1}={}){let n=Math.max(...zi(i,t).map(s=>s.depth??0),0);return n>t.tolerance?`${e?"\u2265 ":"at least "}${Ne(n,Math.floor)} deep`:""}function tx(i,t,e,n){let s=b("header",{class:"verdict",role:"banner"}),r=b("nav",{class:"programs","aria-label":"Programs"});i.append(s),t.programs.length>1&&i.append(r);let o=({program:a})=>{let{report:l}=t.programs[a];Jt(s,nx(t,t.programs[a])),s.dataset.verdict=l.verdict;let c=t.programs.map((h,f)=>yA(h.report,f,f===a,n));Jt(r,c,b("p",{class:"overall"},`${ix(t.overall.text)}`))};o(e.values),e.listen((a,l)=>l.has("program")&&o(a))}function ex(i,t){let e={class:"verdict","data-verdict":t.report.verdict};return b("header",e,nx(i,t))}function nx(i,{report:t,text:e,scene:n}){return[ea(t.verdict),pA(i,t,e),xA(t,n)]}function pA(i,t,e){let n=[t.title||i.overall.title,t.program].filter(Boolean).join(" \xB7 ");return b("div",{class:"words"},b("p",{class:"title"},n||"Report"),b("h1",{},b("span",{class:"word"},t.shown),t.interrupted&&b("em",{}," stopped early")),b("p",{class:"sentence"},ix(e)),b("p",{class:"more"},mA(t)))}function mA(i){let t=i.pairs.filter(o=>o.verdict==="COLLIDING").sort((o,a)=>o.time-a.time)[0];if(!t)return"";let e=t.margin>0,n=Ml(t,i),s=t.least&&`${t.least} at the closest`,r=e&&(t.event==="contact"?"the shapes touch":s);return[!i.sampling&&gA(t,e),n&&`${e?"within the margin ":""}for ${n}`,r,Xr(t,i),_A(t,e)].filter(Boolean).join(" \xB7 ")}function gA({t_lo:i,t_hi:t},e){if(t-i<1e-5)return"";let n=4;for(;n<16&&Number(i.toPrecision(n))>=Number(t.toPrecision(n));)n++;let[s,r]=[i,t].map(o=>Oe(o,n+1));return e?`margin kept until ${s}, violated by ${r}`:`proved apart until ${s}, in contact by ${r}`}function _A({contacts:[i]},t){let e=i?.p_W?.map(n=>Number(n.toFixed(3))).join(", ");return e&&`${t?"first":"contact"} at (${e}) m`}function ix(i){return i.charAt(0).toUpperCase()+i.slice(1)+"."}function xA(i,t){let e=i.warnings.length+(t?.notes.length??0),n=[i.t1>i.t0?["Interval",`${Oe(i.t0).replace(" s","")} \u2013 ${Oe(i.t1)}`]:["Instant",Oe(i.t0)],["Pairs",Q_(i)],i.sampling&&["Steps",`${i.sampling.times.length} of ${i.sampling.n_asked}`],["Tolerance",Ne(i.tolerance)],e>0&&["Warnings",b("a",{href:"#warnings"},String(e))],i.unchecked.length>0&&["Not checked",b("a",{href:"#unchecked"},Gn(vA(i.unchecked),"pair"))]];return b("dl",{class:"facts"},n.filter(Boolean).map(([s,r])=>b("div",{},b("dt",{},s),b("dd",{},r))))}function vA(i){return new Set(i.map(({a:t,b:e})=>JSON.stringify([t,e]))).size}function yA(i,t,e,n){return b("button",{type:"button","aria-pressed":e?"true":"false","data-verdict":i.verdict,"data-program":t,click:()=>n(t)},ea(i.verdict),b("span",{},i.program||`Program ${t+1}`),b("span",{class:"hidden"},i.shown))}function ea(i,t=null){return b("span",{class:"badge","data-verdict":i,"data-event":t,title:t??i},vn(...ze[i]))}function sx(i){return(i.scene?.robots??[]).some(t=>t.joints.length>0)}function rx(i,t,e){let n=[],s=()=>{let{scene:o}=t.programs[e.values.program];n=[];let a=o?.robots.filter(l=>l.joints.length>0)??[];Jt(i,a.map(l=>SA(l,a.length>1,n)))},r=()=>{let{scene:o}=t.programs[e.values.program];if(i.hidden||!o)return;let a=xi(o.times,e.values.time+1e-9),l=o.times[a+1]-o.times[a],c=l>0?Math.min(Math.max((e.values.time-o.times[a])/l,0),1):0;for(let h of n)bA(h,MA(h,o.times.length,a,c))};return s(),e.listen((o,a)=>{a.has("program")&&s(),(a.has("program")||a.has("time"))&&r()}),r}function SA(i,t,e){let n=i.joints.map((s,r)=>{let o=b("i"),a=b("td",{class:"value","data-joint":s}),[l,c]=i.limits[r];return e.push({robot:i,k:r,mark:o,value:a}),b("tr",{},b("th",{scope:"row"},Qn(s)),b("td",{class:"end"},l==null?"":ip(l,i.revolute[r],0)),b("td",{class:"range"},l!=null&&c!=null&&b("span",{class:"range"},o)),b("td",{class:"end"},c==null?"":ip(c,i.revolute[r],0)),a)});return b("table",{class:"joints"},b("caption",{class:t?"":"hidden"},i.name),b("tbody",{},n))}function MA({robot:i,k:t},e,n,s){let[r,o]=[i.q[t*e+n],i.q[t*e+Math.min(n+1,e-1)]];return r+s*(o-r)}function bA({robot:i,k:t,mark:e,value:n},s){let[r,o]=i.limits[t],a=r!=null&&s<r-1e-6||o!=null&&s>o+1e-6;n.textContent=ip(s,i.revolute[t]),n.classList.toggle("outside",a),r!=null&&o>r&&(e.style.left=`${100*Math.min(Math.max((s-r)/(o-r),0),1)}%`)}function ip(i,t,e=2){return t?`${(i*180/Math.PI).toFixed(e)}\xB0`:`${(1e3*i).toFixed(e)} mm`}var sp=200;function op(i){let t=Object.keys(Gs);return i.pairs.map((e,n)=>({pair:e,index:n,skipped:Ks(e,i)})).filter(({pair:e,skipped:n})=>e.event!=="clear"||n.length>0).sort((e,n)=>t.indexOf(e.pair.event)-t.indexOf(n.pair.event)||(e.pair.time??0)-(n.pair.time??0))}function ox(i,t,e){let n=b("div",{class:"lanes",role:"list"}),s=b("p",{class:"legend"}),r=b("div",{class:"lane-axis","aria-hidden":"true"});i.append(b("div",{class:"bar"},s),r,n);let o=()=>t.programs[e.values.program].report,a=()=>{let{t0:c,t1:h}=o(),f=op(o()),u=p=>100*(p-c)/(h-c||1);Jt(n,f.slice(0,sp).map(p=>AA(p,o(),u,e)),f.length>sp&&b("p",{class:"note"},`${f.length-sp} more in the table of pairs`));let d=wA(c,h).map(p=>{let g=b("span",{},Oe(p));return g.style.left=`${u(p)}%`,g});Jt(r,b("span",{}),b("div",{class:"lane-ticks"},d));let m=new Set(f.flatMap(({pair:p,skipped:g})=>[...TA(p),g.length>0&&"skip"])),_=(p,g)=>m.has(p)&&b("span",{},b("i",{"data-event":p}),g);Jt(s,[_("contact","contact"),_("too close","too close"),_("undecided","undecided"),_("skip","allowed, or not checked")].filter(Boolean)),l()},l=()=>{let{t0:c,t1:h}=o();n.style.setProperty("--now",String((e.values.time-c)/(h-c||1)));for(let f of n.children)f.setAttribute?.("aria-current",String(Number(f.dataset.lane)===e.values.pair))};a(),e.listen((c,h)=>{h.has("program")?a():(h.has("time")||h.has("pair"))&&l()})}function wA(i,t){let e=(t-i)/5,n=10**Math.floor(Math.log10(e)),s=[1,2,5,10].map(o=>o*n).find(o=>o>=e),r=Math.ceil(i/s-1e-9);return Array.from({length:Math.floor(t/s+1e-9)-r+1},(o,a)=>(r+a)*s)}function TA(i){let t=i.margin>0&&i.contacts.length>0?["too close"]:[];return[i.event,...t]}function rp(i,{from:t,to:e,known:n=!0,lasts:s=!1},r=""){let o=n?`, ${s?"at least ":r}${da(e-t)}`:", duration not computed";return`${i} at ${Oe(t)}${o}`}function EA(i,t){let e=t.event==="too close"?ta(t,i):`closer than the margin of ${Ne(i.margin)}`;return rp(e,t)}function AA({pair:i,index:t,skipped:e},n,s,r){let o=b("div",{class:"lane-track"}),a=(c,h,f,u,d)=>{let m=b("button",{type:"button","data-event":f,title:u,"aria-label":u,click:_=>(_.stopPropagation(),r.set({pair:t,playing:!1,time:d}))});m.style.left=`${s(c)}%`,m.style.width=`max(3px, ${s(h)-s(c)}%)`,o.append(m)};for(let{from:c,to:h,reason:f}of e)a(c,h,"skip",`${f}: ${Oe(c)} to ${Oe(h)}`,c);i.event==="undecided"&&a(i.t_lo,i.t_hi,"undecided",`undecided from ${Oe(i.t_lo)} to ${Oe(i.t_hi)}`,i.t_lo);for(let c of zi(i,n)){let{from:h,to:f,known:u}=c,d=is(i,c,n),m=d[0]===c;m||a(h,u?f:h,"too close",EA(i,c),h);for(let _ of d)a(_.from,u?_.to:_.from,"contact",m?rp("contact",c):rp("contact",_,"about "),_.from)}let l=Xr(i,n);return b("div",{class:"lane",role:"listitem","data-lane":t,"data-event":i.event,title:[i.sentence,l].filter(Boolean).join(", "),click:c=>{let{left:h,width:f}=o.getBoundingClientRect(),u=(c.clientX-h)/(f||1),d=c.target.closest(".lane-track")&&u>=0&&u<=1,m=n.t0+u*(n.t1-n.t0);r.set({pair:t,playing:!1,...d?{time:m}:{}})}},b("span",{class:"lane-name"},Qn(i.a)," \u2013 ",Qn(i.b)),o)}var na=class{#t="";constructor(t,e,{height:n,spacer:s,make:r}){Object.assign(this,{scroller:t,body:e,height:n,spacer:s,make:r,entries:[]}),t.addEventListener("scroll",()=>this.#e(),{passive:!0}),new ResizeObserver(()=>this.#e()).observe(t)}show(t){this.entries=t,this.#t="",this.#e()}reveal(t){if(t<0||this.entries.length<=250)return;let{scrollTop:e,clientHeight:n}=this.scroller,s=t*this.height;(s<e||s+2*this.height>e+n)&&(this.scroller.scrollTop=Math.max(s-n/2,0)),this.#e()}whole(t){if(this.#t="",t==null)return this.#e();this.body.replaceChildren(...t.map(this.make))}#e(){let t=this.entries.length,{scrollTop:e,clientHeight:n}=this.scroller,s=t<=250?0:Math.max(Math.floor(e/this.height)-12,0),r=t<=250?t:Math.min(Math.ceil((e+n)/this.height)+12,t);if(this.#t===`${s} ${r}`)return;this.#t=`${s} ${r}`;let o=this.entries.slice(s,r).map(this.make),a=s>0?[this.spacer(s*this.height)]:[],l=r<t?[this.spacer((t-r)*this.height)]:[];this.body.replaceChildren(...a,...o,...l),this.onDraw?.()}};var CA=52,ax=400,RA={key:"pinned",title:"Pinned",rank:-1},bl="own links",PA={event:"by event",object:"by object",none:"no groups"},ap=[{name:"verdict",label:"",title:"Verdict",key:Ar},{name:"pair",label:"Pair",title:"Names",key:i=>[`${i.a} ${i.b}`]},{name:"least",label:"Distance",title:"Minimum distance",key:i=>[_f(i)]},{name:"time",label:"At",title:"Time",key:i=>[mo(i)??1/0]}];function hx(i,t,e){let n=b("input",{type:"search",placeholder:"Filter by name","aria-label":"Filter pairs by name",spellcheck:"false",input:()=>p()}),s=b("select",{"aria-label":"Group pairs",change:()=>(f.clear(),p())},Object.entries(PA).map(([g,v])=>b("option",{value:g},v))),r=b("span",{class:"count","aria-live":"polite"}),o=b("tr"),a=b("tbody"),l=b("table",{class:"pairs",role:"grid"},b("caption",{class:"hidden"},"Pairs that were checked"),b("thead",{},o),a),c=b("p",{class:"empty"}),h=b("div",{class:"scroll"},l,c);i.append(b("div",{class:"bar"},r,s,n),h);let f=new Set,u={column:"verdict",down:!1},d=()=>t.programs[e.values.program].report,m=()=>d().pairs,_=new na(h,a,{height:CA,spacer:g=>NA(g),make:g=>g.group?px(g,f,p):mx(g,d(),e)});_.onDraw=()=>cx(a,e.values.pair);let p=()=>{let g=n.value.trim().toLowerCase(),{key:v}=ap.find(S=>S.name===u.column),A=m().map((S,R)=>({pair:S,index:R,key:v(S)})).filter(({pair:S})=>g.split(/\s+/).every(R=>`${S.a} ${S.b}`.toLowerCase().includes(R))).sort((S,R)=>wl(R.pair)-wl(S.pair)||(u.down?-1:1)*gx(S.key,R.key)||S.index-R.index);Jt(o,ap.map(S=>OA(S,u,R=>(u=R,p())))),_.show(dx(A,s.value,f,DA(t,e))),Jt(r,A.length===m().length?`${A.length}`:`${A.length} of ${m().length}`),Jt(c,A.length>0?"":m().length>0?"No pair matches the filter.":"No pair comes near, or none had to be checked.")};p(),e.listen((g,v)=>{v.has("program")?p():v.has("pair")&&(_.reveal(_.entries.findIndex(A=>A.index===g.pair)),cx(a,g.pair,!0))}),window.addEventListener("beforeprint",()=>{let{printed:g,left:v}=fx(_.entries);_.whole(g),Jt(c,v)}),window.addEventListener("afterprint",()=>(_.whole(null),p()))}function ux(i){let t=i.pairs.map((a,l)=>({pair:a,index:l,key:Ar(a)})).sort((a,l)=>wl(l.pair)-wl(a.pair)||gx(a.key,l.key)||a.index-l.index),{printed:e,left:n}=fx(dx(t,"event",new Set,new Set)),s={set:()=>{}},r=e.map(a=>a.group?px(a,new Set,()=>{}):mx(a,i,s)),o=ap.map(({name:a,label:l})=>b("th",{scope:"col",class:a},l));return b("div",{},b("table",{class:"pairs"},b("thead",{},b("tr",{},o)),b("tbody",{},r)),b("p",{class:"empty"},n||t.length===0&&"No pair comes near, or none had to be checked."))}function fx(i){let t=({pair:a})=>a?.event==="clear"&&a.clearance_upper==null,e=i.filter(a=>!t(a)),[n,s]=[i.length-e.length,e.length-ax],r=[n>0&&`${Gn(n,"clear pair")} without a measured distance`,s>0&&Gn(s,"row")],o=r.some(Boolean)?`Not printed: ${r.filter(Boolean).join(", ")}.`:"";return{printed:e.slice(0,ax),left:o}}function dx(i,t,e,n){if(t==="none"||i.length===0)return i;let s=new Map,r=t==="event"?IA:a=>LA(a,n);for(let a of i){let{key:l,title:c,rank:h}=wl(a.pair)?RA:r(a.pair);s.has(l)||s.set(l,{key:l,title:c,rank:h,members:[]}),s.get(l).members.push(a)}return[...s.values()].sort((a,l)=>a.rank-l.rank).flatMap(({key:a,title:l,members:c})=>{let h=c.reduce((u,{pair:d})=>Ar(d)[0]<Ar(u)[0]?d:u,c[0].pair),f={group:a,title:l,n:c.length,worst:h,open:!e.has(a)};return e.has(a)?[f]:[f,...c]})}function wl({group:i}){return i==="pinned"}function IA({event:i,group:t}){let e=t===bl?`, ${bl}`:"",n=2*Object.keys(Gs).indexOf(i)+!!e;return{key:i+e,title:Gs[i].title+e,rank:n}}function LA({a:i,b:t,group:e},n){let[s,r]=[js(i),js(t)],o=e===bl?`${s}, ${bl}`:n.has(s)&&!n.has(r)?r:s;return{key:o,title:o,rank:e===bl?1:0}}function DA(i,t){let{report:e,scene:n}=i.programs[t.values.program],s=e.pairs.flatMap(({a:r,b:o})=>[r,o]).filter(r=>r.includes("/"));return new Set([...(n?.robots??[]).map(r=>r.name),...s.map(js)])}function px({group:i,title:t,n:e,worst:n,open:s},r,o){let a=()=>{s?r.add(i):r.delete(i),o()};return b("tr",{class:"group","data-group":i,"data-verdict":n.verdict,"data-event":n.event},b("th",{colspan:4,scope:"rowgroup"},b("button",{type:"button","aria-expanded":String(s),click:a},b("span",{class:"title"},t),b("span",{class:"count"},String(e)))))}function NA(i){let t=b("tr",{class:"filler","aria-hidden":"true"},b("td",{colspan:4}));return t.style.height=`${i}px`,t}function OA(i,t,e){let n=t.column===i.name,s=n&&!t.down;return b("th",{scope:"col",class:i.name,"aria-sort":n?t.down?"descending":"ascending":"none"},b("button",{type:"button",title:`Sort by ${i.title.toLowerCase()}`,click:()=>e({column:i.name,down:s})},i.label||b("span",{class:"hidden"},i.title),b("span",{class:"arrow","aria-hidden":"true"},n?t.down?"\u2193":"\u2191":"")))}function mx({pair:i,index:t},e,n){let s=r=>{let o=r??mo(i);n.set({pair:t,playing:!1,...o==null?{}:{time:o}})};return b("tr",{"data-pair":t,"data-verdict":i.verdict,"data-event":i.event,tabindex:0,title:FA(i,e),click:()=>s(),keydown:r=>r.key==="Enter"&&r.target===r.currentTarget&&s()},b("td",{class:"verdict"},ea(i.verdict,i.event),b("span",{class:"hidden"},i.verdict)),b("td",{class:"pair"},Qn(i.a,{class:"name"}),Qn(i.b,{class:"name"}),UA(i,e,s)),b("td",{class:"least"},BA(i),lx(Ml(i,e,{isShort:!0})),lx(Xr(i,e,{isShort:!0}))),b("td",{class:"time"},ts(mo(i),e.t1-e.t0)))}function UA(i,t,e){if(i.contacts.length===0||t.t1<=t.t0)return null;let n=o=>100*(o-t.t0)/(t.t1-t.t0),s=zi(i,t),r=s.flatMap(o=>is(i,o,t).filter(a=>a!==o));return b("span",{class:"contacts"},s.map((o,a)=>{let{from:l,to:c,known:h,least:f}=o,u=is(i,o,t)[0]!==o,d=`${a+1}: ${ta({event:o.event,least:f},i)} at ${Oe(l)}`,m=b("button",{type:"button",title:d,"aria-label":d,"data-contact":a,"data-event":u?"too close":"contact",click:_=>(_.stopPropagation(),e(l))});return m.style.left=`${n(l)}%`,m.style.width=`max(4px, ${h?n(c)-n(l):0}%)`,m}),r.map(({from:o,to:a})=>{let l=b("i",{"aria-hidden":"true"});return l.style.left=`${n(o)}%`,l.style.width=`max(3px, ${n(a)-n(o)}%)`,l}))}function FA(i,t){let e=Ml(i,t),n=e&&`${i.margin>0?"within the margin ":""}for ${e}`;return[i.sentence,n,Xr(i,t)].filter(Boolean).join(", ")}function lx(i){return i&&b("span",{class:"note"},i)}function BA(i){return i.event==="too close"&&i.least?i.least.replace(/ (?=m{1,2}$)/,"\xA0"):i.verdict==="COLLIDING"?Gs[i.event].one:i.least.replace(/ (?=m{1,2}$)/,"\xA0")||(ba(i)?"none found":"not computed")}function cx(i,t,e=!1){for(let n of i.children){if(n.dataset.pair==null)continue;let s=Number(n.dataset.pair)===t;n.setAttribute("aria-selected",String(s)),s&&e&&n.scrollIntoView({block:"nearest"})}}function gx(i,t){for(let e=0;e<i.length;e++){if(i[e]<t[e])return-1;if(i[e]>t[e])return 1}return 0}var kA=["Prepared","Checked","Released"];function _x(i,t,e){let n=[],s=()=>{n.forEach(r=>r.remove()),n=[]};window.addEventListener("beforeprint",()=>{s(),n=t.programs.filter((r,o)=>o!==e.values.program).map(r=>zA(r,t)),t.evidence&&n.push(VA(t)),i.append(...n)}),window.addEventListener("afterprint",s)}function zA(i,t){return b("section",{class:"paper-program"},ex(t,i),b("div",{class:"card side"},ux(i.report)),b("div",{class:"details"},np(i,t,!0)))}function VA({evidence:i,overall:t,programs:e}){let n=i.inputs.find(({path:r})=>r===i.cell.split("/").at(-1)),s=[["Report",t.title],["Made",`${tp(i.date)}, keepclear ${i.version}`],n&&["Cell",[`${n.path}, SHA-256 `,b("code",{},n.sha256)]],["Inputs",`${Gn(i.inputs.length,"file")}, with digests under Evidence`]].filter(r=>r&&r[1]);return b("section",{class:"signatures"},b("h2",{},"Signatures"),b("dl",{class:"rows"},s.map(([r,o])=>b("div",{},b("dt",{},r),b("dd",{},o)))),b("ul",{class:"verdicts"},e.map(({report:r,text:o})=>b("li",{"data-verdict":r.verdict},ea(r.verdict),b("span",{},[r.program,`${r.verdict}: ${o}`].filter(Boolean).join(" \xB7 "))))),b("table",{},b("thead",{},b("tr",{},["","Name","Date","Signature"].map(r=>b("th",{scope:"col"},r)))),b("tbody",{},kA.map(r=>b("tr",{},b("th",{scope:"row"},r),b("td"),b("td"),b("td"))))),b("p",{class:"note"},"The verdict holds for these input files, with the assumptions and the unchecked pairs that the report lists. ","To make the report again: ",b("code",{},"keepclear reproduce REPORT.json")))}function lp(i,t,e=()=>{}){let n=new Map,s=b("div",{class:"tabs",role:"tablist","aria-label":i}),r=l=>{for(let{name:c,panel:h}of t)h.hidden=c!==l,n.get(c).setAttribute("aria-selected",String(c===l)),n.get(c).tabIndex=c===l?0:-1;e(l)};for(let{name:l,label:c,panel:h}of t){let f=b("button",{type:"button",role:"tab","data-tab":l,click:()=>r(l),keydown:u=>o(u)},c);h.setAttribute("role","tabpanel"),h.dataset.panel=l,n.set(l,f),s.append(f)}let o=l=>{let c={ArrowLeft:-1,ArrowRight:1}[l.key];if(!c)return;l.stopPropagation(),l.preventDefault();let h=t.filter(({name:d})=>!n.get(d).hidden),f=h.findIndex(({name:d})=>n.get(d)===l.currentTarget),{name:u}=h[(f+c+h.length)%h.length];r(u),n.get(u).focus()},a=(l,c)=>{n.get(l).hidden=!c,!c&&n.get(l).getAttribute("aria-selected")==="true"&&r(t[0].name)};return r(t[0].name),{bar:s,show:r,enable:a}}var GA=34,HA=60;function xx(i,t,e,{colourOf:n,frame:s}){let r=b("input",{type:"search",placeholder:"Filter by name","aria-label":"Filter objects by name",spellcheck:"false",input:()=>m()}),o=b("button",{type:"button",class:"zoom",click:()=>e.set({hidden:new Set,paths:new Set})},"Show all"),a=b("span",{class:"count"}),l=b("div",{class:"tree",role:"tree","aria-label":"Objects"}),c=b("div",{class:"scroll"},l);i.append(b("div",{class:"bar"},a,o,r),c);let h=new Set,f=[],u=new na(c,l,{height:GA,spacer:_=>{let p=b("div",{"aria-hidden":"true"});return p.style.height=`${_}px`,p},make:_=>XA(_,{store:e,colourOf:n,frame:s,closed:h,show:()=>m()})}),d=()=>{f=WA(t.programs[e.values.program].scene),h.clear();for(let _ of f)_.links.length>HA&&h.add(_.name);m()},m=()=>{let _=r.value.trim().toLowerCase(),p=v=>v.toLowerCase().includes(_),g=f.flatMap(v=>{let A=v.links.filter(S=>p(S.name));return!p(v.name)&&A.length===0?[]:h.has(v.name)&&!_?[v]:[v,...A]});u.show(g),Jt(a,String(f.length))};d(),e.listen((_,p)=>{p.has("program")?d():(p.has("hidden")||p.has("paths"))&&u.show(u.entries)})}function WA(i){let t=new Map,e=s=>{let r=js(s);return t.has(r)||t.set(r,{name:r,links:[],isOwner:!0,moves:!1}),t.get(r)},n=new Map;for(let{name:s,n:r,visual:o}of i?.bodies??[]){let a=e(s);a.moves||=r>1,s!==a.name&&(n.has(s)||a.links.push(n.set(s,{name:s,hasShape:!0,isOnlyShown:!0,moves:!1}).get(s)),n.get(s).moves||=r>1,n.get(s).isOnlyShown&&=!!o)}for(let s of i?.robots??[])for(let r of s.links)n.has(r)?n.get(r).moves=!0:e(r).links.push({name:r,hasShape:!1,moves:!0});return[...t.values()]}function XA(i,{store:t,colourOf:e,frame:n,closed:s,show:r}){let{hidden:o,paths:a}=t.values,l=i.isOwner&&i.links.length>0,c=o.has(i.name)||!i.isOwner&&o.has(js(i.name)),h=i.isOwner?i.name:i.name.slice(i.name.indexOf("/")+1),f=b("i",{class:"dot"});f.style.background=e(i.name)??"transparent";let u=!s.has(i.name),d=()=>{u?s.add(i.name):s.delete(i.name),r()},m=(p,g)=>{let v=new Set(t.values[p]);g?v.add(i.name):v.delete(i.name),t.set({[p]:v})},_=a.has(i.name);return b("div",{class:i.isOwner?"node":"node link",role:"treeitem","data-object":i.name,"aria-level":i.isOwner?1:2,"aria-expanded":l&&String(u)},l?b("button",{type:"button",class:"fold","aria-label":u?"Fold":"Unfold",click:d},vn(...ze[u?"down":"right"])):b("span",{class:"fold"}),i.isOwner||i.hasShape?b("button",{type:"button",class:"eye",title:c?"Show":"Hide","aria-label":`Show ${i.name}`,"aria-pressed":String(!c),disabled:!i.isOwner&&o.has(js(i.name)),click:()=>m("hidden",!c)},vn(...ze[c?"hidden":"eye"])):b("span",{class:"fold"}),f,b("button",{type:"button",class:"object",title:"Zoom to it",click:()=>n(i.name)},Qn(h)),i.isOnlyShown&&b("span",{class:"note",title:"It has only visual geometry, which was not checked."},"not checked"),i.moves&&!l&&b("button",{type:"button",class:"path",title:_?"Hide the path of its origin":"Show the path of its origin","aria-label":`Path of ${i.name}`,"aria-pressed":String(_),click:()=>m("paths",!_)},vn(...ze.path)))}function cp({program:i,time:t,pair:e},n){let{report:s}=n[i],r=new URLSearchParams;n.length>1&&r.set("program",s.program||String(i+1)),r.set("t",String(Number(t.toFixed(6))));let o=s.pairs[e];return o&&r.set("pair",yx(o)),`#${r}`}function hp(i,t){let e=new URLSearchParams(i.replace(/^#/,""));if(!e.has("t")&&!e.has("pair"))return{};let n={},s=t.findIndex(({report:l},c)=>[l.program||String(c+1)].includes(e.get("program")));s>=0&&(n.program=s);let{report:r}=t[Math.max(s,0)],o=r.pairs.findIndex(l=>yx(l)===e.get("pair"));o>=0&&(n.pair=o);let a=Number(e.get("t"));return e.has("t")&&Number.isFinite(a)&&(n.time=Math.min(Math.max(a,r.t0),r.t1)),n}function vx(i,t,e){let n=null,s=()=>{let r=cp(i.values,t);location.hash!==r&&history.replaceState(null,"",r)};i.listen((r,o)=>{r.playing||!["time","pair","program","playing"].some(a=>o.has(a))||(clearTimeout(n),n=setTimeout(s,150))}),window.addEventListener("hashchange",()=>{let{program:r,...o}=hp(location.hash,t);r!=null&&r!==i.values.program&&e(r),i.set({playing:!1,...o})})}function yx({a:i,b:t}){return`${i} - ${t}`}var Sx=Math.cos(32*Math.PI/180);function hu(i,t){let e=$A(i,t),n=new me;n.setAttribute("position",new Be(qA(i,t),3)),n.setAttribute("normal",new Be(YA(i.length/3,t,e),3));let s=new me;return s.setAttribute("position",new Be(ZA(i,t,e),3)),n.computeBoundingBox(),n.computeBoundingSphere(),{surface:n,edges:s}}function qA(i,t){let e=new Float32Array(t.length*3);for(let n=0;n<t.length;n++)for(let s=0;s<3;s++)e[3*n+s]=i[3*t[n]+s];return e}function $A(i,t){let e=new Float64Array(t.length);for(let n=0;n<t.length;n+=3){let[s,r,o]=[3*t[n],3*t[n+1],3*t[n+2]],[a,l,c]=[0,1,2].map(d=>i[r+d]-i[s+d]),[h,f,u]=[0,1,2].map(d=>i[o+d]-i[s+d]);e.set([l*u-c*f,c*h-a*u,a*f-l*h],n)}return e}function YA(i,t,e){let n=new Uint32Array(i+1);for(let a of t)n[a+1]++;for(let a=0;a<i;a++)n[a+1]+=n[a];let s=new Uint32Array(t.length),r=n.slice();for(let a=0;a<t.length;a++)s[r[t[a]]++]=3*Math.floor(a/3);let o=new Float32Array(t.length*3);for(let a=0;a<t.length;a++){let l=3*Math.floor(a/3),[c,h,f]=[0,0,0];for(let d=n[t[a]];d<n[t[a]+1];d++)s[d]!==l&&Mx(e,l,s[d])<Sx||(c+=e[s[d]],h+=e[s[d]+1],f+=e[s[d]+2]);let u=Math.hypot(c,h,f)||1;o.set([c/u,h/u,f/u],3*a)}return o}function ZA(i,t,e){let n=i.length/3,s=new Map;for(let o=0;o<t.length;o++){let a=3*Math.floor(o/3),[l,c]=[t[o],t[a+(o+1)%3]],h=l<c?l*n+c:c*n+l,f=s.get(h);f===void 0?s.set(h,a):f>=0&&s.set(h,Mx(e,a,f)<Sx?-1:-2)}let r=[];for(let[o,a]of s)if(a!==-2)for(let l of[Math.floor(o/n),o%n])for(let c=0;c<3;c++)r.push(i[3*l+c]);return new Float32Array(r)}function Mx(i,t,e){let[n,s,r]=[i[t],i[t+1],i[t+2]],[o,a,l]=[i[e],i[e+1],i[e+2]],c=Math.hypot(n,s,r)*Math.hypot(o,a,l);return c>0?(n*o+s*a+r*l)/c:1}var JA=["#7f9fc6","#d0a873","#86b49b","#ab97cc","#79b4bb","#c6b26a","#9bbd7d","#c79bb6"],KA=["#b9bec6","#c9c2b4","#aab6ba","#c3bac6","#b4bda9"],bx=[1,.86],qr=new zt("#e0392b"),Tl=new zt("#e39a1c"),gs=new zt("#2f6fde");function wx(i){let t=new Map;for(let{name:o,n:a}of i){let l=o.split("/")[0];t.set(l,(t.get(l)??!1)||a>1)}let e={moving:0,still:0},n=new Map;for(let[o,a]of t){let l=a?JA:KA;n.set(o,new zt(l[e[a?"moving":"still"]++%l.length]))}let s=new Map,r=new Map;for(let{name:o,colour:a}of i){if(s.has(o))continue;let l=o.split("/")[0];if(a){s.set(o,up(a));continue}let c=r.get(l)??0;r.set(l,c+1),s.set(o,n.get(l).clone().multiplyScalar(bx[c%bx.length]))}return s}function up([i,t,e]){let n=new zt().setRGB(i,t,e,"srgb"),{h:s,s:r,l:o}=n.getHSL({});return n.setHSL(s,r,Math.min(Math.max(o,.06),.82))}var jA=300;function Cx(i){let t=new Map;return e=>(t.has(e)||t.set(e,hu(i[e].positions,i[e].triangles)),t.get(e))}var uu=class{#t="";constructor(t,e){this.times=t.times,this.surfaceOf=e,this.group=new He,this.colours=wx(t.bodies);let n=new Set(t.bodies.filter(s=>s.visual).map(s=>s.name));if(this.hasVisuals=n.size>0,this.list=t.bodies.map(s=>({body:s,colour:s.visual&&s.colour?up(s.colour):this.colours.get(s.name),geometry:e(s.shape).surface,hasVisual:n.has(s.name),matrix:new ye,isShown:!0})),this.isMany=this.list.length>jA,this.isMany)this.#e();else for(let s of this.list)this.#n(s);for(let s of this.list)this.#i(s,0,0)}#e(){let t=this.list.reduce((n,{geometry:s})=>n+s.attributes.position.count,0);this.batch=new Za(this.list.length,t,0,new Fs({side:2})),this.batch.sortObjects=!1;let e=new Map;this.list.forEach(n=>{e.has(n.body.shape)||e.set(n.body.shape,this.batch.addGeometry(n.geometry)),n.number=this.batch.addInstance(e.get(n.body.shape)),this.batch.setColorAt(n.number,n.colour)}),this.entryOf=new Map(this.list.map(n=>[n.number,n])),this.group.add(this.batch)}#n(t){let{colour:e,body:n}=t,s=new Us({color:e,roughness:.72,metalness:.04,side:2,polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1});t.mesh=new Me(t.geometry,s),t.mesh.castShadow=t.mesh.receiveShadow=!this.isMany,t.lines=new si(this.surfaceOf(n.shape).edges,new fn({color:e.clone().multiplyScalar(.42),transparent:!0,opacity:.55})),t.mesh.add(t.lines),t.mesh.userData.entry=t,t.mesh.matrixAutoUpdate=!1,t.mesh.matrix.copy(t.matrix),this.group.add(t.mesh)}colourOf(t){let e=this.colours.get(t)??this.list.find(({body:n})=>n.name.startsWith(`${t}/`))?.colour;return e?`#${e.getHexString()}`:null}frameAt(t){return xi(this.times,t+1e-9)}place(t){let e=this.frameAt(t),n=this.times.length-1,s=e<n?this.times[e+1]-this.times[e]:1,r=e<n?Math.min(Math.max((t-this.times[e])/s,0),1):0;for(let o of this.list)o.body.n>1&&this.#i(o,e,r);return this.group.updateMatrixWorld(!0),e}#i(t,e,n){pp(t.body,Math.min(e,t.body.n-1),n,t.matrix),t.number!=null&&this.batch.setMatrixAt(t.number,t.matrix),t.mesh&&(t.mesh.matrix.copy(t.matrix),t.mesh.matrixWorldNeedsUpdate=!0)}paint(t,e,{xray:n,hidden:s,visual:r}){let o=[[...t].join(),[...e].join(),n,[...s].join(),r].join("|");if(o===this.#t)return!1;this.#t=o;for(let a of this.list){let{name:l}=a.body,c=s.has(l)||s.has(l.split("/")[0]);a.isShown=!c&&(a.hasVisual?!!a.body.visual===r:!0);let h=t.get(l),f=e.has(l),u=!!(h||f);u&&!a.mesh&&this.#n(a),a.number!=null&&this.batch.setVisibleAt(a.number,a.isShown&&!u),a.mesh&&(a.mesh.visible=a.isShown&&(u||a.number==null),this.#s(a,h,f,n&&!u))}if(this.batch){let{material:a}=this.batch;Object.assign(a,{transparent:n,opacity:n?.16:1,depthWrite:!n}),a.needsUpdate=!0}return this.group.updateMatrixWorld(!0),!0}#s({body:t,mesh:e,lines:n,colour:s},r,o,a){let l=r==="too close"?Tl:qr,c=r?t.n>1?1:.55:0;e.material.color.copy(s).lerp(l,c),e.material.emissive.copy(l).multiplyScalar(.22*c*c),Object.assign(e.material,{transparent:a,opacity:a?.16:1,depthWrite:!a}),e.castShadow=!a&&!this.isMany,n.material.color.copy(o?gs:r?l:s).multiplyScalar(o?1:.42),n.material.opacity=o?1:.55}hit(t){let e=this.list.filter(({mesh:r,isShown:o})=>r?.visible&&o).map(({mesh:r})=>r),[n]=t.intersectObjects(this.batch?[this.batch,...e]:e,!1);return n?{entry:n.object===this.batch?this.entryOf.get(n.batchId):n.object.userData.entry,point:n.point,distance:n.distance}:null}corners({geometry:t,matrix:e},n){let{position:s}=t.attributes,r=Math.max(1,Math.floor(s.count/n)),o=[];for(let a=0;a<s.count;a+=r)o.push(new U().fromBufferAttribute(s,a).applyMatrix4(e));return o}dispose(){for(let{mesh:t,lines:e}of this.list)t&&[t,e].forEach(n=>n.material.dispose());this.batch?.dispose(),this.group.removeFromParent()}},[fp,Tx]=[new qn,new qn],[dp,Ex]=[new U,new U],QA=new U(1,1,1);function pp(i,t,e,n){return Ax(i,t,dp,fp),e>0&&t+1<i.n&&(Ax(i,t+1,Ex,Tx),dp.lerp(Ex,e),fp.slerp(Tx,e)),n.compose(dp,fp,QA)}function Ax({poses:i,n:t},e,n,s){n.set(i[e],i[t+e],i[2*t+e]),s.set(i[3*t+e],i[4*t+e],i[5*t+e],i[6*t+e])}var tC=new U(0,1,0),Rx={transparent:!0,depthWrite:!1},fu={depthTest:!1,transparent:!0,toneMapped:!1};function _r(i){let t=new He,e=new Me(new hs(1.5,20,14),new An({color:"#ffffff",...fu,opacity:.85})),n=new Me(new hs(1,20,14),new An({color:i,...fu}));return e.renderOrder=10,n.renderOrder=11,t.add(e,n),t}function eC(i){let t=new An({color:i,...fu}),e=new Me(new or(.32,.32,8,10),t),n=new Me(new Nr(1.1,3.2,16),t);return e.position.y=4,n.position.y=9,e.renderOrder=n.renderOrder=11,new He().add(e,n)}var du=class{constructor(t){this.contact=_r(qr),this.normal=eC(qr),this.ends=[_r(gs),_r(gs)],this.segment=new cs(new me,new fn({color:gs,...fu})),this.segment.renderOrder=9,this.ghost=new He,this.all=[this.contact,this.normal,...this.ends,this.segment,this.ghost],t.add(...this.all)}show(t,e,n){for(let o of[this.contact,this.normal,...this.ends,this.segment])o.traverse(({material:a})=>a&&(a.opacity=n?1:.45));let s=t&&!e&&t.p_WA&&t.p_WB,r=t?.margin>0?Tl:qr;this.contact.children[1].material.color.copy(r),this.normal.traverse(({material:o})=>o?.color.copy(r)),this.#t(e);for(let o of[...this.ends,this.segment])o.visible=!!s;if(s){let o=[t.p_WA,t.p_WB].map(a=>new U(...a));return o.forEach((a,l)=>this.ends[l].position.copy(a)),this.segment.geometry.dispose(),this.segment.geometry=new me().setFromPoints(o),o}return e?.p_W?[this.contact.position.clone()]:[]}#t(t){this.contact.visible=!!t?.p_W,this.normal.visible=!!(t?.p_W&&t.normal_W),t?.p_W&&(this.contact.position.set(...t.p_W),this.normal.position.copy(this.contact.position),t.normal_W&&this.normal.quaternion.setFromUnitVectors(tC,new U(...t.normal_W).normalize()))}showGhost(t,e,n){if(this.ghost.traverse(o=>o.material?.dispose()),this.ghost.clear(),!t||!e||n==null)return;let s=new Set([e.a,e.b].map(o=>o.split("/")[0])),r=e.margin>0?Tl:qr;for(let{body:o,geometry:a}of t.list){if(o.n<2||o.visual||!s.has(o.name.split("/")[0]))continue;let l=o.name===e.a||o.name===e.b,c=l?r:new zt("#6f7d90"),h=new Me(a,new An({color:c,...Rx,opacity:l?.4:.16}));h.add(new si(t.surfaceOf(o.shape).edges,new fn({color:c,...Rx,opacity:l?.8:.4}))),pp(o,n,0,h.matrix),h.matrixAutoUpdate=!1,h.renderOrder=5,this.ghost.add(h)}}resize(t,e){let n=(s,r)=>pu(t,e,s,r);this.contact.scale.setScalar(n(this.contact.position,5)),this.normal.scale.setScalar(n(this.normal.position,5));for(let s of this.ends)s.scale.setScalar(n(s.position,3.5))}};function pu(i,t,e,n){return 2*Math.max(e.distanceTo(i.position),1e-6)*Math.tan(i.fov*Math.PI/360)*n/t}var mu=class{constructor(t,e){this.label=e,this.points=[],this.ends=[_r(gs),_r(gs)];let n=new fn({color:gs,depthTest:!1,transparent:!0});this.line=new cs(new me,n),this.line.renderOrder=12,t.add(this.line,...this.ends),this.clear()}clear(){this.points=[],this.#t()}add(t){this.points.length>1&&(this.points=[]),this.points.push(t.clone()),this.#t()}#t(){this.ends.forEach((t,e)=>{t.visible=e<this.points.length,t.visible&&t.position.copy(this.points[e])}),this.line.visible=this.points.length===2,this.line.visible&&(this.line.geometry.dispose(),this.line.geometry=new me().setFromPoints(this.points))}showLabel(t,e,n){if(this.label.hidden=!t,!t)return;let[s,r]=this.points;if(this.label.classList.toggle("hint",!r),!r){this.label.textContent=s?"Click on the second point.":"Click on two points to measure.",this.label.style.transform="translate(12px, 56px)";return}let o=["x","y","z"].map(c=>`${c} ${Ne(Math.abs(r[c]-s[c]))}`);this.label.textContent=`about ${Ne(s.distanceTo(r))} (${o.join(", ")})`;let a=new U().lerpVectors(s,r,.5).project(e),l=Math.min((a.x+1)/2*n.width+10,n.width-280);this.label.style.transform=`translate(${Math.max(l,8)}px, ${(1-a.y)/2*n.height+8}px)`}};var Px=["#2f6fde","#b3369c","#11806a","#b0560b"],gu=class{constructor(t){this.group=new He,this.list=[],t.add(this.group)}show(t,e){this.group.traverse(n=>(n.geometry?.dispose(),n.material?.dispose())),this.group.clear(),this.list=[...t].flatMap((n,s)=>{let r=nC(n,e);if(!r)return[];let o=new fn({color:Px[s%Px.length],depthTest:!1,transparent:!0}),a=new cs(new me().setAttribute("position",new Be(r,3)),o),l=_r(o.color);return a.renderOrder=8,this.group.add(a,l),[{points:r,dot:l}]})}place(t,e){let n=xi(e,t+1e-9),s=Math.min(n+1,e.length-1),r=s>n?Math.min(Math.max((t-e[n])/(e[s]-e[n]),0),1):0;for(let{points:o,dot:a}of this.list)a.position.lerpVectors(new U().fromArray(o,3*n),new U().fromArray(o,3*s),r)}};function nC(i,t){let e=t.times.length;for(let{links:r,origins:o}of t.robots){let a=r.indexOf(i);if(a>=0)return o.slice(3*e*a,3*e*(a+1))}let n=t.bodies.find(r=>r.name===i&&r.n===e);if(!n)return null;let s=new Float32Array(3*e);for(let r=0;r<e;r++)for(let o=0;o<3;o++)s[3*r+o]=n.poses[o*e+r];return s}var ia=class{constructor(t){this.group=new He,this.light=new Bs("#ffffff",1.9),this.light.castShadow=!0,this.light.shadow.mapSize.set(2048,2048),this.light.shadow.radius=5,this.light.shadow.bias=-.0012,this.fill=new Bs("#dfe8ff",.5),this.sky=new Ur("#ffffff","#a5a29e",1.6),this.ground=new Me(new Or(1,1),new sl({opacity:.2})),this.ground.receiveShadow=!0,this.grid=new He,this.group.add(this.light,this.light.target,this.fill,this.sky,this.ground,this.grid),t.add(this.group)}fit(t,e){let[n,s]=[t.getCenter(new U),t.getSize(new U)],r=.5*s.length();this.light.position.copy(n).addScaledVector(new U(.45,-.5,1.25).normalize(),3*r),this.light.target.position.copy(n),this.fill.position.copy(n).addScaledVector(new U(-1,.8,.3),r),Object.assign(this.light.shadow.camera,{left:-1.4*r,right:1.4*r,top:1.4*r,bottom:-1.4*r,near:.5*r,far:6*r}),this.light.shadow.camera.updateProjectionMatrix(),this.light.shadow.normalBias=.008*r;let o=t.min.z-.002*r;return this.ground.position.set(n.x,n.y,o),this.ground.scale.setScalar(8*r),this.#t(n,r,o,e)}#t(t,e,n,s){let r=iC(2*e/10),o=Math.ceil(1.7*e/r),[a,l]=[Math.round(t.x/r)*r,Math.round(t.y/r)*r];for(let c of this.grid.children)[c.geometry,c.material].forEach(h=>h.dispose());this.grid.clear();for(let c of[!1,!0]){let h=[];for(let d=-o;d<=o;d++)for(let[m,_]of[[a,!1],[l,!0]]){let p=m+d*r;if(Math.abs(p)<r/4!==c)continue;let g=Math.sqrt(Math.max(o*o-d*d,0))*r;_?h.push(a-g,p,n,a+g,p,n):h.push(p,l-g,n,p,l+g,n)}let f=new me().setAttribute("position",new Te(h,3)),u=new fn({color:new zt(s?"#8fa0b5":"#5b6a7d"),transparent:!0,opacity:c?.45:.17,depthWrite:!1});this.grid.add(new si(f,u))}return r}};function iC(i){let t=10**Math.floor(Math.log10(i));return[1,2,5,10].find(e=>e*t>=i*.75)*t}var mp={fit:{label:"Fit",title:"Show all"},iso:{label:"Iso",title:"From the front, the right and above",from:Qo(-45,35.264)},front:{label:"Front",title:"From the front, along y",from:Qo(-90,0)},right:{label:"Right",title:"From the right, against x",from:Qo(0,0)},top:{label:"Top",title:"From above, against z",from:Qo(-90,89.9)}},sC=4,_u=class{#t=!1;constructor(t,e,n,s){this.canvas=t,this.labels=e,this.payload=n,this.onDraw=s,this.renderer=new dr({canvas:t,antialias:!0,alpha:!0,preserveDrawingBuffer:!0}),this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=kr,this.renderer.shadowMap.autoUpdate=!1,this.renderer.info.autoReset=!1,this.scene=new Xi,this.camera=new un(38,1,.01,100),this.camera.up.set(0,0,1),this.controls=new pr(this.camera,t),this.controls.addEventListener("change",()=>this.invalidate()),this.stage=new ia(this.scene),this.marks=new du(this.scene),this.paths=new gu(this.scene),this.measure=new mu(this.scene,e.measure),this.gizmo=new gr,this.surfaceOf=Cx(n.shapes),this.dark=matchMedia("(prefers-color-scheme: dark)"),this.dark.addEventListener("change",()=>(this.#i(),this.invalidate())),new ResizeObserver(()=>this.#a()).observe(t.parentElement),t.addEventListener("pointermove",r=>r.buttons===0&&this.#h(r)),this.#u(),t.addEventListener("webglcontextrestored",()=>this.invalidate()),t.addEventListener("pointerleave",()=>this.labels.name.hidden=!0),this.#a()}load(t,{time:e,pair:n}){this.bodies?.dispose(),this.program=t,this.bodies=new uu(t.scene,this.surfaceOf),this.scene.add(this.bodies.group),Object.assign(this,V_(this.bodies)),this.hasVisuals=this.bodies.hasVisuals,this.collisions=t.report.pairs.filter(a=>a.verdict==="COLLIDING"),this.shownPaths=null,this.measure.clear();let s=t.report.pairs[n];this.bodies.place(e),this.bodies.paint(new Map,new Set,{xray:!1,hidden:new Set,visual:!1});let r=s&&rC(s,Lx(s.contacts,e),e,t.report);this.direction=G_(this.bodies,this.box,r),this.#i();let o=s?Jd(this.bodies,s,r,this.box):this.points;return mr(this.camera,this.controls,o,this.direction,this.box),this.cell}preset(t){let e=mp[t].from??this.camera.position.clone().sub(this.controls.target).normalize();mr(this.camera,this.controls,this.points,e,this.box),this.invalidate()}focus(){if(!this.selected)return;let t=this.isNow&&this.focusPoints.length>0?Ix(this.focusPoints):null;this.#e(Jd(this.bodies,this.selected,t,this.box))}frame(t){let e=B_(this.bodies,t);e&&this.#e(e)}#e(t){let e=this.camera.position.clone().sub(this.controls.target).normalize();mr(this.camera,this.controls,t,e,this.box),this.invalidate()}picture(t,e){let{size:n}=this;this.#r({width:t,height:e},1),this.#s();let s=this.canvas.toDataURL("image/png");return this.#r(n,Math.min(devicePixelRatio,2)),this.#s(),s}show({time:t,pair:e,ghost:n,grid:s,xray:r,hidden:o,paths:a,visual:l,measure:c}){let{report:h,scene:f}=this.program,u=this.bodies.place(t),d=this.collisions.map(g=>({a:g.a,b:g.b,event:Mg(g,t,h)})).filter(({event:g})=>g),m=h.pairs[e],_=new Map;for(let{a:g,b:v,event:A}of[...d].sort(S=>S.event==="contact"?1:-1))for(let S of[g,v])_.set(S,A);this.bodies.paint(_,new Set(m?[m.a,m.b]:[]),{xray:r,hidden:o,visual:l});let p=m&&Lx(m.contacts,t);return this.isNow=m&&Dx(m,p,t,h),this.focusPoints=this.marks.show(m,p,this.isNow),this.#n(m,p,t,n),a!==this.shownPaths&&this.paths.show(a,f),this.shownPaths=a,this.paths.place(t,f.times),c||this.measure.clear(),this.isMeasuring=c,this.canvas.classList.toggle("measuring",c),this.stage.grid.visible=s,this.renderer.shadowMap.needsUpdate=!0,this.selected=m,this.contact=p,this.invalidate(),{frame:u,touching:d}}#n(t,e,n,s){let r=s&&e&&Math.abs(n-e.time)>1e-6,o=r?`${t.a} ${t.b} ${e.time}`:"";o===this.ghostKey&&this.ghostBodies===this.bodies||([this.ghostKey,this.ghostBodies]=[o,this.bodies],this.marks.showGhost(this.bodies,t,r?this.bodies.frameAt(e.time):null))}#i(){this.box&&(this.cell=this.stage.fit(this.box,this.dark.matches)),this.renderer.shadowMap.needsUpdate=!0}invalidate(){this.#t||(this.#t=!0,requestAnimationFrame(()=>this.#s()))}#s(){this.#t=!1;let{width:t,height:e}=this.size;this.marks.resize(this.camera,e);for(let{dot:s}of this.paths.list)s.scale.setScalar(pu(this.camera,e,s.position,3.5));for(let s of this.measure.ends)s.scale.setScalar(pu(this.camera,e,s.position,3.5));this.renderer.info.reset(),this.renderer.setViewport(0,0,t,e),this.renderer.render(this.scene,this.camera);let{triangles:n}=this.renderer.info.render;this.gizmo.draw(this.renderer,this.camera,this.controls.target),this.#l(),this.measure.showLabel(this.isMeasuring,this.camera,this.size),this.onDraw(n)}#l(){let{distance:t}=this.labels,e=this.focusPoints?.[0];if(t.hidden=!e||!this.selected,t.hidden)return;let n=Ix(this.focusPoints).project(this.camera),s=this.isNow?"":` at ${Oe(this.contact?.time??this.selected.clearance_time,4)}`;t.textContent=`${this.contact?ta(this.contact,this.selected):this.#c()}${s}`,t.classList.toggle("past",!this.isNow),t.dataset.event=this.contact?this.selected.margin>0?"too close":"contact":"",t.hidden=n.z>1;let r=Math.min((n.x+1)/2*this.size.width+12,this.size.width-t.offsetWidth-8);t.style.transform=`translate(${Math.max(r,8)}px, ${(1-n.y)/2*this.size.height-30}px)`}#c(){let[t,e]=this.focusPoints;return e&&this.selected.verdict==="CLEAR"?Ne(t.distanceTo(e)):this.selected.least}#o(t){let e=this.canvas.getBoundingClientRect(),[n,s]=[t.clientX-e.left,t.clientY-e.top],r=new Br;r.setFromCamera(new Vt(2*n/e.width-1,1-2*s/e.height),this.camera);let o=this.bodies?.hit(r);return o&&{...o,x:n,y:s,width:e.width}}#h(t){let{name:e}=this.labels,n=this.#o(t);e.hidden=!n,n&&(e.textContent=n.entry.body.name,e.style.transform=`translate(${Math.min(n.x+14,n.width-120)}px, ${n.y+14}px)`)}#u(){let t=null;this.canvas.addEventListener("pointerdown",e=>t=[e.clientX,e.clientY]),this.canvas.addEventListener("pointerup",e=>{let n=t&&Math.hypot(e.clientX-t[0],e.clientY-t[1])>sC;if(!t||n||!this.isMeasuring)return;let s=this.#o(e);s&&this.measure.add(s.point),this.invalidate()})}#a(){let{clientWidth:t,clientHeight:e}=this.canvas.parentElement;this.#r({width:Math.max(t,1),height:Math.max(e,1)},Math.min(devicePixelRatio,2)),this.invalidate()}#r(t,e){this.size=t,this.renderer.setPixelRatio(e),this.renderer.setSize(t.width,t.height,!1),this.camera.aspect=t.width/t.height,this.camera.updateProjectionMatrix()}};function Ix(i){return i.reduce((t,e)=>t.add(e),new U).divideScalar(i.length)}function Dx(i,t,e,n){let s=t?t.time:i.clearance_time;return s!=null&&Math.abs(e-s)<=1e-6*Math.max(n.t1-n.t0,1)}function rC(i,t,e,n){if(!Dx(i,t,e,n))return null;let s=t?t.p_W:i.p_WA;return s?new U(...s):null}function Lx(i,t){return i.reduce((e,n)=>!e||Math.abs(n.time-t)<Math.abs(e.time-t)?n:e,null)}function Ox(i,t,e){let n=b("canvas",{class:"canvas",tabindex:0,"aria-label":"The cell in three dimensions; drag to turn it, scroll to zoom"}),s={distance:b("span",{class:"label distance",hidden:!0}),name:b("span",{class:"label name",hidden:!0}),measure:b("span",{class:"label measured",hidden:!0})},r=b("span",{class:"scale"}),o=b("div",{class:"stage"},n,s.distance,s.name,s.measure,r);i.append(o);let a=null,l=()=>t.programs[e.values.program],c=()=>{if(!l().scene)return Nx(o,"This report was made without the shapes and poses of the cell, so there is no 3D view. keepclear verify CELL --html FILE writes a page with one; in Python, verify(..., scene=True) adds it.");try{a??=new _u(n,s,t,u=>document.body.dataset.drawnTriangles=u)}catch{return Nx(o,"WebGL is not available in this browser, so there is no 3D view. Everything else on this page works.")}o.classList.remove("missing"),o.querySelector(".empty")?.remove(),Jt(r,`grid ${Ne(a.load(l(),e.values))}`),h()},h=()=>{o.querySelector("[data-toggle=visual]")?.toggleAttribute("hidden",!a.hasVisuals);let{t0:u,t1:d,pairs:m}=l().report,_=d>u&&m.some(p=>p.contacts.length>0);o.querySelector("[data-toggle=ghost]")?.toggleAttribute("hidden",!_)};c(),a&&(o.append(aC(a,e,t),lC(a)),h(),oC(a,o),n.addEventListener("keydown",u=>u.key==="Escape"&&e.set({measure:!1}))),e.listen((u,d)=>d.has("program")&&c());let f=()=>l().scene?a:null;return{view:f,colourOf:u=>f()?.bodies.colourOf(u),frame:u=>f()?.frame(u)}}function Nx(i,t){i.classList.add("missing"),i.querySelector(".empty")?.remove(),i.append(b("p",{class:"empty",role:"note"},t))}function oC(i,t){let e=t.appendChild(b("img",{class:"paper",alt:"The cell at the time that was shown"}));window.addEventListener("beforeprint",()=>e.src=i.picture(1400,620))}function aC(i,t,e){let n=(o,a,l)=>{let c=b("button",{type:"button",title:a,"aria-label":a,"aria-pressed":String(t.values[o]),"data-toggle":o,click:()=>t.set({[o]:!t.values[o]})},vn(...l));return t.listen((h,f)=>f.has(o)&&c.setAttribute("aria-pressed",String(h[o]))),c},s=(o,a,l,c={})=>b("button",{type:"button",title:o,"aria-label":o,click:l,...c},vn(...a)),r=s("Copy a link to this moment",ze.link,()=>cC(r,t,e),{"data-action":"link"});return b("div",{class:"tools",role:"toolbar","aria-label":"View"},s("Zoom to the selected pair",ze.target,()=>i.focus()),n("xray","Make all but the selected pair transparent",ze.xray),n("ghost","Show the pose at contact",ze.ghost),n("visual","Show visual shapes, which were not checked",ze.shape),n("grid","Show the grid",ze.grid),n("measure","Measure between two points",ze.ruler),r)}function lC(i){return b("div",{class:"tools presets",role:"toolbar","aria-label":"Direction of view"},Object.entries(mp).map(([t,{label:e,title:n}])=>b("button",{type:"button",title:n,"data-view":t,click:()=>i.preset(t)},e)))}async function cC(i,t,e){let n=location.href.replace(/#.*/,"")+cp(t.values,e.programs);history.replaceState(null,"",n.slice(n.indexOf("#")));let s="The address of this page now leads to this moment";try{await navigator.clipboard.writeText(n),s="Copied"}catch{}i.title=s,i.dataset.done=s,setTimeout(()=>delete i.dataset.done,2500)}var hC=200,gp={FREE:"free",MAY_TOUCH:"may touch",CONTACT:"contact"};function xu({times:i},t){let e=1e-9*Math.max(1,Math.abs(t)),[n,s]=[0,i.length];for(;n<s;){let r=n+s>>1;i[r]<=t+e?n=r+1:s=r}return n-1}function Ux(i,t,e){let n=b("div",{class:"strip",role:"img"}),s=b("output",{class:"step"});i.querySelector(".track").append(n),i.append(s),n.addEventListener("pointerdown",l=>{let{left:c,width:h}=n.getBoundingClientRect(),{t0:f,t1:u}=e.span(),d=fC(e.steps(),f+(l.clientX-c)/(h||1)*(u-f));d!=null&&t.set({playing:!1,time:d})});let r=l=>{let{t0:c,t1:h}=e.span();return 100*(l-c)/(h-c||1)},o=()=>{let l=e.steps();if(n.hidden=s.hidden=!l,!l)return;let h=Object.keys(gp).map(f=>[f,l.steps.filter(u=>u===f).length]).filter(([,f])=>f>0).map(([f,u])=>`${u} ${gp[f]}`).join(", ");n.setAttribute("aria-label",`${Gn(l.times.length,"step")}: ${h}`),Jt(n,dC(l).map(f=>pC(f,r)))},a=({time:l})=>{let c=e.steps();if(!c)return;let h=xu(c,l);Jt(s,h<0?"no step yet":uC(c,h)),s.dataset.step=c.steps[h]??""};o(),a(t.values),t.listen((l,c)=>{c.has("program")&&o(),(c.has("program")||c.has("time"))&&a(l)})}function uC({times:i,steps:t,gaps:e,n_asked:n},s){let r=e[s]==null?"":`, at most ${Ne(e[s],Math.ceil)} apart`;return`step ${s+1} of ${n} at ${Oe(i[s])}: ${gp[t[s]]}${r}`}function fC(i,t){let e=xu(i,t),[n,s]=[i.times[e],i.times[e+1]];return n==null||s==null?n??s:t-n<=s-t?n:s}function dC({times:i,steps:t}){let e=i.length>hC,n=[];return i.forEach((s,r)=>{let o=n.at(-1);e&&o?.state===t[r]?o.to=s:n.push({from:s,to:s,state:t[r]})}),n}function pC({from:i,to:t,state:e},n){let s=b("span",{"data-step":e});return s.style.left=`${n(i)}%`,s.style.width=`${n(t)-n(i)}%`,s}async function Bx(){let i=document.getElementById("keepclear"),t;try{t=await Xp()}catch(m){i.append(b("p",{class:"failure",role:"alert"},`The rest of this page cannot be shown: this browser is too old, or the file is damaged (${m.message}).`));return}let{programs:e}=t,n=hp(location.hash,e),s=e.findIndex(({report:m})=>m.verdict===t.overall.verdict),r=n.program??Math.max(s,0),o=new es({program:r,...Fx(e[r]),...n,playing:!1,speed:1,ghost:!0,grid:!0,xray:!1,visual:!0,measure:!1,hidden:new Set,paths:new Set});Jt(i);let a=m=>o.set({program:m,playing:!1,hidden:new Set,paths:new Set,...Fx(e[m])});tx(i,t,o,a);let[l,c]=[b("div",{class:"left"}),b("section",{class:"card side","aria-label":"Pairs and scene"})],[h,f]=[b("section",{class:"card motion","aria-label":"Motion"}),b("section",{class:"card clearances","aria-label":"Over time"})];l.append(h,f),i.append(b("main",{},l,c));let u=Ox(h,t,o),d=_C(t,o);Ll(h,o,d),Ux(h,o,d),mC(f,t,o),gC(c,t,o,u),Z_(i,t,o),_x(i,t,o),vC(o,t,u),vx(o,e,a),document.body.dataset.ready="true"}function mC(i,t,e){let[n,s,r,o]=["one","all","lanes","joints"].map(d=>b("div",{class:`panel ${d}`})),a={},l=[{name:"one",label:"Distance",panel:n},{name:"all",label:"All pairs",panel:s},{name:"lanes",label:"Contacts",panel:r},{name:"joints",label:"Joints",panel:o}],{bar:c,enable:h,show:f}=lp("Over time",l,d=>a[d]?.());i.append(c,n,s,r,o),a.one=vf(n,t,e),a.all=vf(s,t,e,{all:!0}),ox(r,t,e),a.joints=rx(o,t,e);let u=()=>{let d=t.programs[e.values.program];h("all",d.report.pairs.some(_=>_.curve));let m=d.report.t1>d.report.t0&&op(d.report).length>0;h("lanes",m),m&&!d.report.pairs.some(_=>_.curve)&&f("lanes"),h("joints",sx(d))};u(),e.listen((d,m)=>m.has("program")&&u())}function gC(i,t,e,n){let[s,r]=[b("div",{class:"panel"}),b("div",{class:"panel"})],{bar:o,enable:a}=lp("Pairs and scene",[{name:"pairs",label:"Pairs",panel:s},{name:"scene",label:"Scene",panel:r}]);i.append(o,s,r),hx(s,t,e),xx(r,t,e,n);let l=()=>a("scene",n.view()!=null);l(),e.listen((c,h)=>h.has("program")&&l())}function _C(i,t){let e=()=>i.programs[t.values.program];return{span:()=>xC(e().report),steps:()=>e().report.sampling,marks:()=>jl(e().report.pairs,e().report),frames:()=>e().scene?.times}}function xC({t0:i,t1:t,sampling:e}){return e?{t0:i,t1:e.times.at(-1)??i}:{t0:i,t1:t}}function Fx({report:i}){let t=i.pairs.map((s,r)=>({i:r,key:Ar(s)}));t.sort((s,r)=>s.key[0]-r.key[0]||s.key[1]-r.key[1]);let e=t[0]?.i??-1,n=e<0?null:mo(i.pairs[e]);return{pair:e,time:n??i.t0}}function vC(i,t,e){let n=s=>{let{report:r}=t.programs[s.program],o=e.view()?.show(s),a=r.pairs[s.pair],l=o?.touching??[],{classList:c}=document.getElementById("keepclear");c.toggle("bare",r.pairs.length===0),c.toggle("still",r.t1<=r.t0),Object.assign(document.body.dataset,{verdict:r.verdict,program:r.program,time:s.time.toFixed(6),frame:o?.frame??"",playing:s.playing,step:r.sampling?.steps[xu(r.sampling,s.time)]??"",selectedPair:a?`${a.a} - ${a.b}`:"",contact:l.map(({a:h,b:f})=>`${h} - ${f}`).join("; ")}),document.title=`${r.shown} - ${r.title||t.overall.title||"keepclear report"}`};n(i.values),i.listen(n)}function vu(i,{title:t,sentence:e,facts:n,verdict:s}){i.append(b("header",{class:"verdict spheres",role:"banner","data-verdict":s},s&&b("span",{class:"badge","data-verdict":s},vn(...ze[s])),b("div",{class:"words"},b("h1",{},t),b("p",{class:"sentence"},e)),b("dl",{class:"facts"},n.map(([r,o])=>b("div",{},b("dt",{},r),b("dd",{},o))))))}function yu(i,t,e,n,s){let r=b("canvas",{class:"canvas",tabindex:0,"aria-label":e}),o=b("div",{class:"stage"},r);i.append(o);let a;try{a=s(r,c=>document.body.dataset.drawnTriangles=c)}catch{return o.classList.add("missing"),o.append(b("p",{class:"empty",role:"note"},"WebGL is not available in this browser, so nothing is drawn. Everything else on this page works.")),null}let l=(c,h,f)=>{let u=b("button",{type:"button",title:h,"aria-label":h,"aria-pressed":String(t.values[c]),"data-toggle":c,click:()=>t.set({[c]:!t.values[c]})},vn(...f));return t.listen(d=>u.setAttribute("aria-pressed",String(d[c]))),u};return o.append(b("div",{class:"tools",role:"toolbar","aria-label":"View"},b("button",{type:"button",title:"Show all (a)","aria-label":"Show all",click:()=>a.reset()},vn(...ze.home)),n.map(c=>l(...c)))),a}function Su(i,t,e,n,s){let r=t.rows.map((a,l)=>b("tr",{tabindex:0,"data-row":l,"data-state":a.state??"",click:()=>n(l),keydown:c=>c.key==="Enter"&&n(l)},a.cells.map((c,h)=>b("td",{},h===0&&a.colour&&yC(a.colour),h===0?Qn(c):c))));i.append(b("div",{class:"bar"},b("h2",{},t.table_title),b("span",{class:"count"},r.length)),b("div",{class:"scroll"},b("table",{class:"pairs sphere-rows"},b("thead",{},b("tr",{},t.columns.map(a=>b("th",{scope:"col"},a)))),b("tbody",{},r))));let o=a=>{r.forEach((l,c)=>l.setAttribute("aria-selected",String(s(c,a))))};o(e.values),e.listen(o)}function yC(i){let t=b("i",{class:"swatch"});return t.style.background=i,t}function Mu(i,t,e){i.append(b("div",{class:"details"},b("details",{open:!0},b("summary",{},"About this page"),b("ul",{},t.map(n=>b("li",{},n)),b("li",{},`Keys: ${e}.`)))))}function bu(i){document.addEventListener("keydown",t=>{t.target.matches?.("input, select, textarea, canvas")||t.ctrlKey||t.metaKey||t.altKey||i[t.key]?.()})}var SC=new U(.54,-.71,.45).normalize(),sa=class{#t=!1;constructor(t,e){this.canvas=t,this.onDraw=e,this.renderer=new dr({canvas:t,antialias:!0,alpha:!0,preserveDrawingBuffer:!0}),this.renderer.info.autoReset=!1,this.scene=new Xi,this.camera=new un(38,1,.01,100),this.camera.up.set(0,0,1),this.controls=new pr(this.camera,t),this.controls.addEventListener("change",()=>this.invalidate()),this.stage=new ia(this.scene),this.gizmo=new gr}open(t){this.box=new en().setFromObject(t),this.box.isEmpty()&&this.box.set(new U(-1,-1,-1),new U(1,1,1)),this.box.expandByScalar(.02*this.box.getSize(new U).length()),this.dark=matchMedia("(prefers-color-scheme: dark)"),this.dark.addEventListener("change",()=>(this.stage.fit(this.box,this.dark.matches),this.invalidate())),this.stage.fit(this.box,this.dark.matches),new ResizeObserver(()=>this.#n()).observe(this.canvas.parentElement),this.canvas.addEventListener("webglcontextrestored",()=>this.invalidate()),this.#n(),this.reset()}reset(){mr(this.camera,this.controls,MC(this.box),SC),this.invalidate()}focus(t){let e=new U(...t),n=this.camera.position.clone().sub(this.controls.target).normalize(),s=this.box.getCenter(new U),r=e.clone().sub(s).setZ(0);r.length()>1e-6&&n.lerp(r.normalize(),.6).normalize(),this.controls.target.copy(e),this.camera.position.copy(e).addScaledVector(n,.55*this.box.getSize(new U).length()),this.controls.update(),this.invalidate()}invalidate(){this.#t||(this.#t=!0,requestAnimationFrame(()=>this.#e()))}beforeDraw(){}#e(){this.#t=!1;let{width:t,height:e}=this.size;this.beforeDraw(),this.renderer.info.reset(),this.renderer.setViewport(0,0,t,e),this.renderer.render(this.scene,this.camera);let{triangles:n}=this.renderer.info.render;this.gizmo.draw(this.renderer,this.camera,this.controls.target),this.onDraw(n)}#n(){let{clientWidth:t,clientHeight:e}=this.canvas.parentElement;this.size={width:Math.max(t,1),height:Math.max(e,1)},this.renderer.setPixelRatio(Math.min(devicePixelRatio,2)),this.renderer.setSize(this.size.width,this.size.height,!1),this.camera.aspect=this.size.width/this.size.height,this.camera.updateProjectionMatrix(),this.invalidate()}};function MC({min:i,max:t}){return[0,1,2,3,4,5,6,7].map(e=>new U(e&1?t.x:i.x,e&2?t.y:i.y,e&4?t.z:i.z))}var bC=new zt("#c9ced6"),wu=class extends sa{constructor(t,e,n){super(t,n),this.payload=e,this.colours=e.colours.map(o=>new zt(o));let{surface:s,lines:r}=wC(e.arrays);this.rest=Float32Array.from(s.getAttribute("position").array),this.restLines=Float32Array.from(r.getAttribute("position").array),this.elements=new He,this.elements.add(new Me(s,new Us({vertexColors:!0,roughness:.8,side:ri,flatShading:!0,polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1})),new si(r,new fn({color:"#26303c",transparent:!0,opacity:.7}))),this.scene.add(this.elements),this.hull=TC(e),this.scene.add(this.hull),this.open(this.elements)}show({row:t,apart:e,showElements:n,showHull:s,onlyConcave:r}){let o=this.payload.rows[t]?.element??-1;this.chosen!==o&&this.#t(o),(this.apart!==e||this.onlyConcave!==r)&&this.#e(e,r),Object.assign(this,{chosen:o,apart:e,onlyConcave:r}),this.elements.visible=n,this.hull.visible=s,this.invalidate()}#t(t){let{elements:e}=this.payload.arrays,n=this.elements.children[0].geometry.getAttribute("color");for(let s=0;s<e.length;s++){let r=this.colours[e[s]],o=t<0||t===e[s]?r:bC;for(let a=0;a<3;a++)n.setXYZ(3*s+a,o.r,o.g,o.b)}n.needsUpdate=!0}#e(t,e){let{elements:n,middles:s,signs:r,line_elements:o}=this.payload.arrays,a=[0,1,2].map(f=>.5*(this.box.min.getComponent(f)+this.box.max.getComponent(f))),l=(f,u,d,m)=>{let _=f.getAttribute("position");for(let p=0;p<d.length;p++){let g=d[p],v=e&&r[g]>0;for(let A=m*p;A<m*(p+1);A++)for(let S=0;S<3;S++){let R=s[3*g+S];_.array[3*A+S]=(v?R:u[3*A+S])+t*(R-a[S])}}_.needsUpdate=!0,f.computeBoundingSphere()},[c,h]=this.elements.children;l(c.geometry,this.rest,n,3),l(h.geometry,this.restLines,o,2)}};function wC({positions:i,triangles:t,lines:e}){let n=new me;n.setAttribute("position",_p(i,t)),n.setAttribute("color",new Be(new Float32Array(3*t.length),3));let s=new me;return s.setAttribute("position",_p(i,e)),{surface:n,lines:s}}function _p(i,t){let e=new Float32Array(3*t.length);for(let n=0;n<t.length;n++)for(let s=0;s<3;s++)e[3*n+s]=i[3*t[n]+s];return new Be(e,3)}function TC({arrays:i,hull_colours:t}){let{positions:e,hull_triangles:n,hull_kinds:s}=i,r=new He;return t.forEach(([o,a],l)=>{let c=[];if(s.forEach((u,d)=>{u===l&&c.push(n[3*d],n[3*d+1],n[3*d+2])}),!c.length)return;let h=new me;h.setAttribute("position",_p(e,c));let f=new Me(h,new An({color:o,transparent:!0,opacity:a,depthWrite:!1,side:ri}));f.renderOrder=2+l,r.add(f)}),r}var EC=["M5 8l7-4 7 4v8l-7 4-7-4z"],AC=["M5 5h14v14H5z","M9 9h6v6H9z"],xp=100;function kx(i,t){let e=new es({row:-1,apart:0,showElements:!0,showHull:!0,onlyConcave:!1});vu(i,t);let n=b("section",{class:"card motion","aria-label":"Elements"}),s=b("section",{class:"card side","aria-label":t.table_title});i.append(b("main",{},b("div",{class:"left"},n),s));let r=yu(n,e,"The elements of the mesh and its hull; drag to turn the view, scroll to zoom",[["showElements","Elements (e)",ze.xray],["showHull","Hull (h)",EC],["onlyConcave","Concave elements only (c)",AC]],(c,h)=>new wu(c,t,h));n.append(CC(e),RC(t)),Su(s,t,e,c=>e.set({row:e.values.row===c?-1:c}),(c,{row:h})=>c===h),Mu(i,t.notes,"arrows move elements apart, e elements, h hull, c concave elements only, a shows all");let a=c=>e.set({apart:Math.min(Math.max(e.values.apart+c,0),1)});bu({e:()=>e.set({showElements:!e.values.showElements}),h:()=>e.set({showHull:!e.values.showHull}),c:()=>e.set({onlyConcave:!e.values.onlyConcave}),a:()=>r?.reset(),ArrowRight:()=>a(.05),ArrowLeft:()=>a(-.05)});let l=c=>{r?.show(c);let{row:h,apart:f,showElements:u,showHull:d,onlyConcave:m}=c;Object.assign(document.body.dataset,{row:h,apart:f.toFixed(2),elements:u,hull:d,concave:m}),document.body.dataset.element=t.rows[h]?.element??""};l(e.values),e.listen(l)}function CC(i){let t=b("input",{class:"slider",type:"range",min:0,max:xp,step:1,value:0,"aria-label":"Elements moved apart",input:()=>i.set({apart:Number(t.value)/xp})});return i.listen(({apart:e})=>{t.value=Math.round(e*xp),t.style.setProperty("--done",`${100*e}%`)}),b("div",{class:"transport"},b("span",{class:"what"},"Move apart"),b("div",{class:"track"},t))}function RC({legend:i}){return b("p",{class:"legend colours"},i.map(([t,e])=>{let n=b("i",{class:"swatch"});return n.style.background=e,b("span",{},n,t)}))}var PC=400,IC=6e3,LC=new zt("#e0392b"),zx=["#5b8fd6","#e0a13a","#55a878","#9a76cf","#3fa9b5","#c9735b","#8cae3f","#c76f9f","#7d8896","#b9a44c","#4f6bb0","#a3564f"];function vp(i){return zx[i%zx.length]}var Tu=class extends sa{constructor(t,e,n){super(t,n),this.payload=e,this.grown={value:0},this.bodies=new He;for(let s of e.bodies)this.bodies.add(DC(s,this.grown));this.scene.add(this.bodies),this.spheres=new He,this.scene.add(this.spheres),this.mark=NC(),this.scene.add(this.mark),this.open(this.bodies)}show({rank:t,grown:e,showSpheres:n,showBody:s,byLink:r,row:o}){this.rank!==t&&this.#t(t),(this.rank!==t||this.byLink!==r)&&this.#e(this.payload.ranks[t],r),[this.rank,this.byLink]=[t,r],this.grown.value=e,this.mesh&&this.mesh.userData.grown!==e&&Vx(this.mesh,this.payload.ranks[t],e),this.spheres.visible=n,this.bodies.visible=s;let a=this.payload.rows[o]?.point;return this.mark.visible=!!a,a&&this.mark.position.set(...a),this.invalidate(),this.mesh?.count??0}#t(t){this.spheres.clear(),this.mesh?.geometry.dispose(),this.mesh?.material.dispose(),this.mesh?.dispose(),this.mesh=null;let e=this.payload.ranks[t];if(!e?.centers)return;let n=e.n<=PC?5:e.n<=IC?2:1,s=new Fs({transparent:!0,opacity:.42,depthWrite:e.n>1});this.mesh=new Ds(new nl(1,n),s,e.n),this.mesh.frustumCulled=!1,Vx(this.mesh,e,this.grown.value),this.spheres.add(this.mesh)}#e(t,e){if(!this.mesh)return;let n=new zt,s=t.top||1;for(let r=0;r<t.n;r++)e?n.set(vp(t.link[r])):n.setRGB(...Dl(t.excess[r]/s),"srgb"),this.mesh.setColorAt(r,n);this.mesh.instanceColor.needsUpdate=!0}beforeDraw(){this.mark.scale.setScalar(.012*this.camera.position.distanceTo(this.mark.position))}};function Vx(i,t,e){let n=new ye;for(let s=0;s<t.n;s++){let r=t.radii[s]+e;n.makeScale(r,r,r),n.setPosition(t.centers[3*s],t.centers[3*s+1],t.centers[3*s+2]),i.setMatrixAt(s,n)}i.instanceMatrix.needsUpdate=!0,i.userData.grown=e}function DC({positions:i,triangles:t,outside:e},n){let{surface:s,edges:r}=hu(i,t),o=new Us({color:"#b9c0ca",roughness:.75,metalness:0,side:ri});if(e){let c=Float32Array.from(t,h=>e[h]);s.setAttribute("outside",new Be(c,1)),o.onBeforeCompile=h=>{h.uniforms.grown=n,h.uniforms.red={value:LC},h.vertexShader=`attribute float outside;
varying float vOutside;
${h.vertexShader}`.replace("#include <begin_vertex>",`#include <begin_vertex>
vOutside = outside;`),h.fragmentShader=`uniform float grown;
uniform vec3 red;
varying float vOutside;
${h.fragmentShader}`.replace("#include <color_fragment>",`#include <color_fragment>
if (vOutside > grown) diffuseColor.rgb = red;`)}}let a=new He,l=new Me(s,o);if(l.renderOrder=-1,a.add(l),!e){let c=new fn({color:"#3c4653",transparent:!0,opacity:.35});a.add(new si(r,c))}return a}function NC(){let i=new Me(new hs(1,20,14),new An({color:"#111820",depthTest:!1,transparent:!0,opacity:.9}));return i.renderOrder=5,i.visible=!1,i}var OC=["M9 6a5 5 0 1 0 0 10a5 5 0 1 0 0-10","M16 11a4 4 0 1 1-2.5 7.1"],UC=["M4 7h7v7H4z","M13 10h7v7h-7z"],yp=200;async function Gx(){let i=document.getElementById("keepclear"),t;try{t=await kC()}catch(e){i.append(b("p",{class:"failure",role:"alert"},`The rest of this page cannot be shown: this browser is too old, or the file is damaged (${e.message}).`));return}Jt(i),t.page==="elements"?kx(i,t):FC(i,t),document.body.dataset.ready="true"}function FC(i,t){let e=new es({rank:t.first_rank,grown:0,showSpheres:!0,showBody:!0,byLink:El(t),row:-1});El(t)&&t.rows.forEach((a,l)=>a.colour=vp(l)),vu(i,t);let n=b("section",{class:"card motion","aria-label":"Spheres"}),s=b("section",{class:"card side","aria-label":t.table_title});i.append(b("main",{},b("div",{class:"left"},n),s));let r=yu(n,e,"The body and its spheres; drag to turn the view, scroll to zoom",[["showSpheres","Spheres (s)",OC],["showBody","Body (b)",ze.xray],...El(t)?[["byLink","Colour by link, or by excess (c)",UC]]:[]],(a,l)=>new Tu(a,t,l));zC(n,t,e),n.append(VC(t,e)),Su(s,t,e,BC(t,e,r),(a,{row:l,rank:c})=>t.rows[a].rank!=null?t.rows[a].rank===c:a===l);let o=t.ranks.length>1||t.inflation?"arrows move the slider, ":"";Mu(i,t.notes,`${o}s spheres, b body, ${El(t)?"c colours by link or excess, ":""}a shows all`),bu(GC(e,r,t)),HC(e,t,r)}function El({ranks:i,rows:t}){return t.length>1&&i.some(e=>e.link)}function BC(i,t,e){return n=>{let s=i.rows[n];s.rank!=null?t.set({rank:s.rank,row:n}):t.set({row:t.values.row===n?-1:n}),t.values.row===n&&s.point&&e?.focus(s.point)}}async function kC(){let{payload:i,array:t}=await pa();if(i.page==="elements"){for(let[e,n]of Object.entries(i.arrays))i.arrays[e]=t(n);return i}for(let e of i.ranks)for(let n of["centers","radii","excess","link"])e[n]&&(e[n]=t(e[n]));for(let e of i.bodies)for(let n of["positions","triangles","outside"])e[n]&&(e[n]=t(e[n]));return i}function zC(i,t,e){let n=t.ranks.length,s=t.inflation;if(n<2&&!s)return;let r=n>1,o=b("span",{class:"clock reading"}),a=b("input",{class:"slider",type:"range",min:0,max:r?n-1:yp,step:1,value:r?e.values.rank:0,"aria-label":r?"Rank":"Radii grown by",input:()=>{let c=Number(a.value);e.set(r?{rank:c}:{grown:s*c/yp})}});i.append(b("div",{class:"transport"},b("span",{class:"what"},r?"Rank":"Radii grown by"),b("div",{class:"track"},a),o));let l=({rank:c,grown:h})=>{let f=r?c:Math.round(h/s*yp);a.value=f,a.style.setProperty("--done",`${100*f/a.max}%`);let{n:u,radius:d}=t.ranks[c];Jt(o,r?`${c+1} of ${n}: ${Gn(u,"sphere")} of ${Ne(d)}`:Ne(h,Math.ceil))};l(e.values),e.listen(l)}function VC(i,t){let e=b("span",{}),n=({rank:l})=>Jt(e,`at most ${Ne(i.ranks[l].top,Math.ceil)}`);n(t.values),t.listen(n);let s=b("i",{class:"ramp"});s.style.background=Nl();let[r,o]=[b("span",{},"excess of a sphere: 0",s,e),b("span",{},"spheres coloured by link")],a=({byLink:l})=>[r.hidden,o.hidden]=[l,!l];return a(t.values),t.listen(a),b("p",{class:"legend colours"},r,o,i.bodies.some(l=>l.outside)&&b("span",{},b("i",{class:"hit"}),"outside of all spheres"),i.rows.some(l=>l.point)&&b("span",{},b("i",{class:"worst"}),"worst position of the selected link"))}function GC(i,t,e){let n=e.ranks.length-1,s=r=>{let{rank:o,grown:a}=i.values;n>0?i.set({rank:Math.min(Math.max(o+r,0),n)}):e.inflation&&i.set({grown:Math.min(Math.max(a+r*e.inflation/20,0),e.inflation)})};return{s:()=>i.set({showSpheres:!i.values.showSpheres}),b:()=>i.set({showBody:!i.values.showBody}),c:()=>El(e)&&i.set({byLink:!i.values.byLink}),a:()=>t?.reset(),ArrowRight:()=>s(1),ArrowLeft:()=>s(-1)}}function HC(i,t,e){let n=s=>{let r=e?.show(s)??0,o=0;for(let{outside:a}of t.bodies)for(let l of a??[])l>s.grown&&o++;Object.assign(document.body.dataset,{rank:s.rank,grown:s.grown.toPrecision(6),spheres:t.ranks[s.rank]?.n??0,drawnSpheres:r,uncovered:o,row:s.row,colour:s.byLink?"link":"excess"})};n(i.values),i.listen(n)}var WC={crowd:q_,model:Gx,report:Bx};WC[document.body.dataset.page]();})();

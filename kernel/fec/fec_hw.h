/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ENET block of the i.MX 6 to 9 families: registers, bits, descriptors.
 *
 * Origin of the facts: chapter "10/100/1000-Mbps Ethernet MAC (ENET)" of the
 * NXP reference manuals (IMX6DQRM, IMX6SXRM, IMX8MPRM, IMX93RM), whose register
 * and bit names are used; the MIB offsets and the registers of the second and
 * third ring are the same in all parts that have them. Where a fact comes from
 * elsewhere, it says so.
 */
#ifndef _FEC_HW_H
#define _FEC_HW_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/types.h>

/* Most rings per direction (parts with AVB). */
#define FEC_MAX_QUEUES		3

/* --- registers ---------------------------------------------------------- */

#define ENET_EIR		0x004	/* interrupt events, write 1 to clear */
#define ENET_EIMR		0x008	/* interrupt mask */
#define ENET_RDAR		0x010	/* receive descriptor active, ring 0 */
#define ENET_TDAR		0x014	/* transmit descriptor active, ring 0 */
#define ENET_ECR		0x024	/* control */
#define ENET_MMFR		0x040	/* MII management frame */
#define ENET_MSCR		0x044	/* MII speed control */
#define ENET_MIBC		0x064	/* MIB control */
#define ENET_RCR		0x084	/* receive control */
#define ENET_TCR		0x0c4	/* transmit control */
#define ENET_PALR		0x0e4	/* physical address, bytes 0 to 3 */
#define ENET_PAUR		0x0e8	/* physical address, bytes 4 and 5 */
#define ENET_OPD		0x0ec	/* pause opcode and duration */
#define ENET_TXIC(q)		(0x0f0 + 4 * (q))	/* transmit interrupt coalescing */
#define ENET_RXIC(q)		(0x100 + 4 * (q))	/* receive interrupt coalescing */
#define ENET_IAUR		0x118	/* individual address hash, buckets 63 to 32 */
#define ENET_IALR		0x11c	/* individual address hash, buckets 31 to 0 */
#define ENET_GAUR		0x120	/* group address hash, buckets 63 to 32 */
#define ENET_GALR		0x124	/* group address hash, buckets 31 to 0 */
#define ENET_TFWR		0x144	/* transmit FIFO watermark */
#define ENET_RDSR1		0x160	/* receive ring start, ring 1 */
#define ENET_TDSR1		0x164
#define ENET_MRBR1		0x168	/* receive buffer size, ring 1 */
#define ENET_RDSR2		0x16c
#define ENET_TDSR2		0x170
#define ENET_MRBR2		0x174
#define ENET_RDSR		0x180
#define ENET_TDSR		0x184
#define ENET_MRBR		0x188
#define ENET_RSFL		0x190	/* receive FIFO section full, 64-bit words */
#define ENET_RSEM		0x194	/* receive FIFO section empty: sends XOFF */
#define ENET_RAEM		0x198	/* receive FIFO almost empty */
#define ENET_RAFL		0x19c	/* receive FIFO almost full */
#define ENET_TSEM		0x1a0
#define ENET_TAEM		0x1a4
#define ENET_TAFL		0x1a8
#define ENET_TIPG		0x1ac	/* transmit inter-packet gap */
#define ENET_FTRL		0x1b0	/* receive frames are cut at this length */
#define ENET_TACC		0x1c0	/* transmit accelerator */
#define ENET_RACC		0x1c4	/* receive accelerator */
#define ENET_RCMR1		0x1c8	/* VLAN priorities that ring 1 receives */
#define ENET_RCMR2		0x1cc
#define ENET_DMA1CFG		0x1d8	/* DMA class of ring 1 */
#define ENET_DMA2CFG		0x1dc
#define ENET_RDAR1		0x1e0
#define ENET_TDAR1		0x1e4
#define ENET_RDAR2		0x1e8
#define ENET_TDAR2		0x1ec
#define ENET_QOS		0x1f0	/* arbitration between the rings */

/* EIR and EIMR. Ring 0, 1 and 2 have their event bits in three places. */
#define ENET_INT_ALL		GENMASK(31, 0)
#define ENET_INT_GRA		BIT(28)	/* graceful transmit stop complete */
#define ENET_INT_MII		BIT(23)	/* MII management frame done */
#define ENET_INT_EBERR		BIT(22)	/* DMA bus error; the MAC has stopped */
#define ENET_INT_TXF(q)		((q) == 0 ? BIT(27) : (q) == 1 ? BIT(3) : BIT(7))
#define ENET_INT_RXF(q)		((q) == 0 ? BIT(25) : (q) == 1 ? BIT(1) : BIT(5))
/* BIT(15), BIT(16): 1588 timer. BIT(17): wake-up. For the PTP and PM work. */

/* RDAR and TDAR: set by any write, cleared when the next descriptor is not ready */
#define ENET_DAR_ACTIVE		BIT(24)

/* ECR */
#define ENET_ECR_RESET		BIT(0)
#define ENET_ECR_ETHEREN	BIT(1)
#define ENET_ECR_EN1588		BIT(4)	/* enhanced descriptors */
#define ENET_ECR_SPEED		BIT(5)	/* 1000 Mbit/s */
#define ENET_ECR_DBSWP		BIT(8)	/* little-endian descriptors and data */
#define ENET_ECR_TXC_DLY	BIT(16)	/* i.MX 8QM: RGMII TXC delayed by 2 ns */
#define ENET_ECR_RXC_DLY	BIT(17)	/* i.MX 8QM: RGMII RXC delayed by 2 ns */

/* MMFR: IEEE 802.3 clause 22 and 45 management frames as on the wire */
#define ENET_MMFR_ST_C22	FIELD_PREP(GENMASK(31, 30), 1)
#define ENET_MMFR_ST_C45	0
#define ENET_MMFR_OP		GENMASK(29, 28)
#define ENET_MMFR_PA		GENMASK(27, 23)	/* PHY or port */
#define ENET_MMFR_RA		GENMASK(22, 18)	/* register or device */
#define ENET_MMFR_TA		FIELD_PREP(GENMASK(17, 16), 2)
#define ENET_MMFR_DATA		GENMASK(15, 0)

/* MSCR: MDC = ipg / ((MII_SPEED + 1) * 2); MDIO is held for HOLDTIME + 1 ipg cycles */
#define ENET_MSCR_MII_SPEED	GENMASK(6, 1)
#define ENET_MSCR_DIS_PRE	BIT(7)
#define ENET_MSCR_HOLDTIME	GENMASK(10, 8)

/* RCR */
#define ENET_RCR_DRT		BIT(1)	/* half duplex: deaf while transmitting */
#define ENET_RCR_MII_MODE	BIT(2)	/* must be set */
#define ENET_RCR_PROM		BIT(3)
#define ENET_RCR_FCE		BIT(5)	/* obey received pause frames */
#define ENET_RCR_RGMII_EN	BIT(6)
#define ENET_RCR_RMII_MODE	BIT(8)
#define ENET_RCR_RMII_10T	BIT(9)	/* 10 Mbit/s */
#define ENET_RCR_MAX_FL		GENMASK(29, 16)	/* longer frames are marked LG */

/* TCR */
#define ENET_TCR_GTS		BIT(0)	/* stop after the current frame */
#define ENET_TCR_FDEN		BIT(2)	/* full duplex; only while ETHEREN is clear */

#define ENET_PAUR_TYPE		0x8808	/* read only */

/* TXIC and RXIC */
#define ENET_IC_EN		BIT(31)
#define ENET_IC_AHB_CLK		BIT(30)	/* timer runs from the ahb clock, not from the MII's */
#define ENET_IC_FRAMES		GENMASK(27, 20)
#define ENET_IC_TIME		GENMASK(15, 0)	/* units of 64 clocks */

/* TFWR */
#define ENET_TFWR_STRFWD	BIT(8)	/* store and forward; checksum insertion needs it */
#define ENET_TFWR_960		0xf	/* start when 960 bytes are in the FIFO */

/*
 * Pause: XOFF when the receive FIFO holds RSEM 64-bit words, XON when it falls
 * below; 0 in RSEM sends none. RSFL: words before the DMA starts on a frame, 0
 * for the whole frame. The values are those that NXP tuned in the Linux driver.
 */
#define ENET_RSEM_PAUSE		0x84
#define ENET_RSFL_PAUSE		0x10
#define ENET_RAEM_PAUSE		0x8
#define ENET_RAFL_PAUSE		0x8
#define ENET_RAEM_RESET		0x4	/* reset values */
#define ENET_RAFL_RESET		0x4
#define ENET_OPD_PAUSE		0xfff0	/* quanta of 512 bit times */

/* RCMRn: up to four VLAN priorities */
#define ENET_RCMR_MATCHEN	BIT(16)
#define ENET_RCMR_CMP(n, prio)	((prio) << (4 * (n)))

/* DMAnCFG */
#define ENET_DMACFG_CLASS_EN	BIT(16)

/* QOS */
#define ENET_QOS_ROUND_ROBIN	1
#define ENET_QOS_RX_FLUSH(q)	BIT(3 + (q))	/* drop, do not block, when ring q is full */

/* MRBR and MAX_FL */
#define ENET_MRBR_MAX		0x3ff0
#define FEC_RX_ALIGN		64	/* of receive buffers, address and size (AVB parts) */

/*
 * Longest frame, FCS included. A frame is stored whole in the 2 KB transmit
 * FIFO before it leaves (so that its checksum can go in); i.MX 8QM and 8QXP
 * also let longer frames start before they are complete, up to what a receive
 * buffer of 16 KB can take with its headroom and skb_shared_info.
 */
#define FEC_FRAME_FIFO		1984
#define FEC_FRAME_JUMBO		15808

/* --- MIB counters, 32 bits each; MIBC 0 lets them count ------------------ */

#define ENET_RMON_T_DROP	0x200
#define ENET_RMON_T_PACKETS	0x204
#define ENET_RMON_T_BC_PKT	0x208
#define ENET_RMON_T_MC_PKT	0x20c
#define ENET_RMON_T_CRC_ALIGN	0x210
#define ENET_RMON_T_UNDERSIZE	0x214
#define ENET_RMON_T_OVERSIZE	0x218
#define ENET_RMON_T_FRAG	0x21c
#define ENET_RMON_T_JAB		0x220
#define ENET_RMON_T_COL		0x224
#define ENET_RMON_T_P64		0x228
#define ENET_RMON_T_P65TO127	0x22c
#define ENET_RMON_T_P128TO255	0x230
#define ENET_RMON_T_P256TO511	0x234
#define ENET_RMON_T_P512TO1023	0x238
#define ENET_RMON_T_P1024TO2047	0x23c
#define ENET_RMON_T_P_GTE2048	0x240
#define ENET_RMON_T_OCTETS	0x244
#define ENET_IEEE_T_DROP	0x248
#define ENET_IEEE_T_FRAME_OK	0x24c
#define ENET_IEEE_T_1COL	0x250
#define ENET_IEEE_T_MCOL	0x254
#define ENET_IEEE_T_DEF		0x258
#define ENET_IEEE_T_LCOL	0x25c
#define ENET_IEEE_T_EXCOL	0x260
#define ENET_IEEE_T_MACERR	0x264	/* FIFO underrun */
#define ENET_IEEE_T_CSERR	0x268
#define ENET_IEEE_T_SQE		0x26c
#define ENET_IEEE_T_FDXFC	0x270	/* pause frames */
#define ENET_IEEE_T_OCTETS_OK	0x274
#define ENET_RMON_R_PACKETS	0x284
#define ENET_RMON_R_BC_PKT	0x288
#define ENET_RMON_R_MC_PKT	0x28c
#define ENET_RMON_R_CRC_ALIGN	0x290
#define ENET_RMON_R_UNDERSIZE	0x294
#define ENET_RMON_R_OVERSIZE	0x298
#define ENET_RMON_R_FRAG	0x29c
#define ENET_RMON_R_JAB		0x2a0
#define ENET_RMON_R_P64		0x2a8
#define ENET_RMON_R_P65TO127	0x2ac
#define ENET_RMON_R_P128TO255	0x2b0
#define ENET_RMON_R_P256TO511	0x2b4
#define ENET_RMON_R_P512TO1023	0x2b8
#define ENET_RMON_R_P1024TO2047	0x2bc
#define ENET_RMON_R_P_GTE2048	0x2c0
#define ENET_RMON_R_OCTETS	0x2c4
#define ENET_IEEE_R_DROP	0x2c8
#define ENET_IEEE_R_FRAME_OK	0x2cc
#define ENET_IEEE_R_CRC		0x2d0
#define ENET_IEEE_R_ALIGN	0x2d4
#define ENET_IEEE_R_MACERR	0x2d8	/* FIFO overflow */
#define ENET_IEEE_R_FDXFC	0x2dc	/* pause frames */
#define ENET_IEEE_R_OCTETS_OK	0x2e0

#define ENET_MIB_FIRST		ENET_RMON_T_DROP
#define ENET_MIB_LAST		ENET_IEEE_R_OCTETS_OK

/* --- enhanced buffer descriptor, little endian (ECR[EN1588], ECR[DBSWP]) --- */

/**
 * struct fec_desc - enhanced buffer descriptor
 * @ctl: length in the low half, ownership and status in the high half
 * @addr: bus address of the buffer
 * @ext: what to do (written by us), what happened (written by the MAC)
 * @prot: receive: header length and protocol; not used
 * @bdu: "descriptor updated" of the DMA; cleared by us
 * @ts: 1588 time of the frame
 */
struct fec_desc {
	__le32 ctl;
	__le32 addr;
	__le32 ext;
	__le32 prot;
	__le32 bdu;
	__le32 ts;
	__le32 rsvd[2];
};

#define FEC_DESC_LEN		GENMASK(15, 0)
#define FEC_DESC_OWN		BIT(31)	/* the MAC's: E of receive, R of transmit */
#define FEC_DESC_WRAP		BIT(29)	/* last of the ring */
#define FEC_DESC_LAST		BIT(27)	/* last buffer of the frame */

#define FEC_RXD_LG		BIT(21)	/* longer than MAX_FL */
#define FEC_RXD_NO		BIT(20)	/* not a whole number of octets */
#define FEC_RXD_CR		BIT(18)	/* CRC or PHY error */
#define FEC_RXD_OV		BIT(17)	/* FIFO overrun; the other bits mean nothing */
#define FEC_RXD_TR		BIT(16)	/* truncated at FTRL */
#define FEC_RXD_ERROR		(FEC_RXD_LG | FEC_RXD_NO | FEC_RXD_CR | FEC_RXD_OV | FEC_RXD_TR)

#define FEC_RXD_EXT_INT		BIT(23)	/* raise RXF */
#define FEC_RXD_EXT_ICE		BIT(5)	/* not IP, or its header checksum is bad */
#define FEC_RXD_EXT_PCR		BIT(4)	/* unknown protocol, or its checksum is bad */
#define FEC_RXD_EXT_FRAG	BIT(0)	/* IPv4 fragment: no L4 checksum to check */

#define FEC_TXD_TC		BIT(26)	/* append the CRC */
/* These must be the same in all descriptors of a frame. */
#define FEC_TXD_EXT_INT		BIT(30)	/* raise TXF */
#define FEC_TXD_EXT_TS		BIT(29)	/* take the time of departure (PTP work) */
#define FEC_TXD_EXT_PINS	BIT(28)	/* insert the L4 checksum; the field holds 0 */
#define FEC_TXD_EXT_IINS	BIT(27)	/* insert the IPv4 header checksum; the field holds 0 */
#define FEC_TXD_EXT_FTYPE	GENMASK(23, 20)	/* AVB: class, here the ring's number */

#endif /* _FEC_HW_H */
